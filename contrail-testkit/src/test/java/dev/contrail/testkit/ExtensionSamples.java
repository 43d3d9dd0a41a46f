package dev.contrail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import dev.contrail.server.ServerVersion;
import io.nats.client.Connection;
import io.nats.client.api.RetentionPolicy;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Classes as users would write them, run by {@link ContrailExtensionTest}. */
final class ExtensionSamples {
  static final Queue<URI> URLS = new ConcurrentLinkedQueue<>();
  static final Queue<String> STREAMS = new ConcurrentLinkedQueue<>();
  static final Queue<Connection> CONNECTIONS = new ConcurrentLinkedQueue<>();
  static final Queue<NatsServer> SERVERS = new ConcurrentLinkedQueue<>();

  private ExtensionSamples() {}

  static void clear() {
    URLS.clear();
    STREAMS.clear();
    CONNECTIONS.clear();
    SERVERS.clear();
  }

  /** Two classes that meet: neither gets on before the other has its server. */
  static final CyclicBarrier MEETING = new CyclicBarrier(2);

  @ContrailTest
  static class Annotated {
    @Test
    void is_given_all(URI url, Connection connection, TestStream stream, Sandbox sandbox)
        throws Exception {
      MEETING.await(30, TimeUnit.SECONDS);
      note(url, connection, stream);
      assertThat(sandbox.stream()).isSameAs(stream);
      assertThat(sandbox.connection()).isSameAs(connection);
      assertThat(connection.getConnectedUrl()).isEqualTo(url.toString());
      assertThat(stream.publish("a")).isEqualTo(1);
    }
  }

  @ExtendWith(ContrailExtension.class)
  static class Extended {
    @Test
    void is_given_others(URI url, Connection connection, TestStream stream) throws Exception {
      MEETING.await(30, TimeUnit.SECONDS);
      note(url, connection, stream);
      assertThat(stream.publish("a")).isEqualTo(1);
    }
  }

  static class Registered {
    @RegisterExtension private final ContrailExtension contrail = new ContrailExtension();

    @BeforeEach
    void publish(TestStream stream) {
      assertThat(stream.publish("a")).as("in a stream that no other test has").isEqualTo(1);
    }

    @RepeatedTest(3)
    void is_given_the_same_as_before_each(
        URI url, Connection connection, TestStream stream, Sandbox sandbox) {
      note(url, connection, stream);
      assertThat(stream.messages()).isEqualTo(1);
      sandbox.newStream(RetentionPolicy.Limits).publish("b");
      stream.singleStep("worker", consumer -> consumer.handler(delivery -> {})).next().isAcked();
    }

    @AfterEach
    void look(TestStream stream) {
      assertThat(stream.messages()).isZero();
    }
  }

  @ContrailTest
  @TestInstance(Lifecycle.PER_CLASS)
  static class OncePerClass {
    private Optional<Sandbox> ofClass = Optional.empty();

    @BeforeAll
    void begin(Sandbox sandbox) {
      ofClass = Optional.of(sandbox);
      sandbox.stream().publish("a");
    }

    @RepeatedTest(2)
    void tests_have_their_own(TestStream stream) {
      STREAMS.add(stream.name());
      assertThat(stream.name()).isNotEqualTo(ofClass.orElseThrow().stream().name());
      assertThat(ofClass.orElseThrow().stream().messages()).isEqualTo(1);
    }

    @Nested
    class Inner {
      @Test
      void too(TestStream stream) {
        STREAMS.add(stream.name());
        assertThat(ofClass.orElseThrow().stream().messages()).isEqualTo(1);
      }
    }
  }

  @ContrailTest(ownServer = true)
  static class OwnServer {
    @RepeatedTest(2)
    void may_restart_it(NatsServer server, TestStream stream) {
      SERVERS.add(server);
      stream.publish("a");
      server.restart();
      assertThat(stream.publish("b")).isEqualTo(2);
    }

    @Nested
    class Inner {
      @Test
      void is_the_same(NatsServer server) {
        SERVERS.add(server);
      }
    }
  }

  static class ConfiguredServer {
    @RegisterExtension
    static final ContrailExtension CONTRAIL =
        ContrailExtension.withServer(NatsServer.builder().config("max_payload: 4KB"));

    @RepeatedTest(2)
    void is_as_configured(NatsServer server, Connection connection) {
      SERVERS.add(server);
      assertThat(connection.getMaxPayload()).isEqualTo(4096);
    }
  }

  static class ServerForEachTest {
    @RegisterExtension
    private final ContrailExtension contrail = ContrailExtension.withServer(NatsServer.builder());

    @RepeatedTest(2)
    void is_another(NatsServer server, TestStream stream) {
      SERVERS.add(server);
      stream.publish("a");
      server.kill();
    }
  }

  @ContrailTest
  static class SharedServer {
    @Test
    void must_not_be_stopped(NatsServer server) {
      SERVERS.add(server);
    }
  }

  static class NoServer {
    @RegisterExtension
    static final ContrailExtension CONTRAIL =
        ContrailExtension.withServer(
            NatsServer.builder()
                .binary(
                    new NatsServerBinary(
                        Path.of("/nowhere/nats-server"), new ServerVersion(2, 9, 10))));

    @Test
    void never_runs() {
      URLS.add(URI.create("nats://127.0.0.1"));
    }
  }

  @ContrailTest
  static class Failing {
    @Test
    void leaves_a_mess(TestStream stream, Connection connection) {
      note(URI.create(String.valueOf(connection.getConnectedUrl())), connection, stream);
      stream.publish("a");
      stream
          .singleStep(
              "worker",
              consumer ->
                  consumer.handler(
                      delivery -> {
                        throw new IllegalStateException("boom");
                      }))
          .next()
          .isAcked();
    }
  }

  /** Ends last, and looks at what the others have left. */
  @ContrailTest
  static class Inspector {
    @Test
    void nothing_is_left(Connection connection) throws Exception {
      assertThat(connection.jetStreamManagement().getStreamNames()).isEmpty();
    }
  }

  private static void note(URI url, Connection connection, TestStream stream) {
    URLS.add(url);
    CONNECTIONS.add(connection);
    STREAMS.add(stream.name());
  }
}
