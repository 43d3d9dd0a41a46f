package dev.contrail.testkit;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.Names;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The part of a server that belongs to one test: a connection, streams, and a prefix under which
 * Contrail keeps what it stores. All of it is deleted when the test is over. Thread-safe.
 */
public final class Sandbox implements AutoCloseable {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final int LONGEST_NAME = 40;

  private final TestServer server;
  private final String name;
  private final Names names;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private @Nullable Connection connection;
  private @Nullable TestStream stream;
  private int streams;

  private Sandbox(TestServer server, String name, Names names) {
    this.server = server;
    this.name = name;
    this.names = names;
  }

  static Sandbox on(TestServer server, String test) {
    int number = NUMBERS.incrementAndGet();
    String words = test.replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_|_$", "");
    String shortened = words.substring(0, Math.min(words.length(), LONGEST_NAME));
    return new Sandbox(server, "T" + number + "_" + shortened, new Names("sandbox" + number));
  }

  /** Where the server is. */
  public URI url() {
    return URI.create(server.server().url());
  }

  /** A connection of this test alone. */
  public synchronized Connection connection() {
    Connection existing = connection;
    if (existing != null) {
      return existing;
    }
    connection = Contrail.connect(server.server().url());
    return connection;
  }

  /** The same, waited for where the server was restarted. */
  Connection connected() {
    Connection own = connection();
    Await.until(
        () -> {
          try {
            own.flush(Duration.ofSeconds(1));
            return own.getStatus() == Connection.Status.CONNECTED;
          } catch (TimeoutException | IllegalStateException e) {
            return false;
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
          }
        },
        () -> "expected the test's nats-server at " + url() + " to answer, but it is away");
    return own;
  }

  /** The prefix of what Contrail stores for this test; builders of {@link TestStream} have it. */
  public String prefix() {
    return names.prefix();
  }

  /** The test's first stream, a workqueue; made when it is asked for. */
  public synchronized TestStream stream() {
    TestStream existing = stream;
    if (existing == null) {
      existing = newStream(RetentionPolicy.WorkQueue);
      stream = existing;
    }
    return existing;
  }

  /** One more stream. */
  public TestStream newStream(RetentionPolicy retention) {
    return newStream(StreamConfiguration.builder().retentionPolicy(retention));
  }

  /** One more stream, set up like that but for its name and subjects, which no other has. */
  public synchronized TestStream newStream(StreamConfiguration.Builder configuration) {
    streams++;
    String own = streams == 1 ? name : name + "_" + streams;
    StreamConfiguration named = configuration.name(own).subjects(own + ".>").build();
    try {
      connected().jetStreamManagement().addStream(named);
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException("the stream was not made: " + e.getMessage(), e);
    }
    return new TestStream(this, own, names);
  }

  /**
   * The server, which this test may stop and restart.
   *
   * @throws IllegalStateException when other classes use it, too
   */
  public NatsServer ownServer() {
    if (!server.own()) {
      throw new IllegalStateException(
          "this nats-server is shared with other test classes; ask for one with"
              + " @ContrailTest(ownServer = true) or ContrailExtension.withServer(…)");
    }
    return server.server();
  }

  /** Closes it before the streams are deleted. */
  synchronized <T extends AutoCloseable> T closing(T resource) {
    open.push(resource);
    return resource;
  }

  /** Ends what was started, and deletes what was made; done by the extension. */
  @Override
  public synchronized void close() throws Exception {
    Connection existing = connection;
    if (existing == null) {
      return;
    }
    try {
      // A test that ended its server has nothing to tidy up there.
      if (server.server().isRunning()) {
        JetStreamManagement management = connected().jetStreamManagement();
        while (!open.isEmpty()) {
          open.pop().close();
        }
        deleteStreams(management);
      }
    } finally {
      existing.close();
    }
  }

  private void deleteStreams(JetStreamManagement management)
      throws IOException, JetStreamApiException {
    String stores = names.prefix().toUpperCase(Locale.ROOT) + "_";
    for (String each : management.getStreamNames()) {
      if (each.equals(name)
          || each.startsWith(name + "_")
          || each.startsWith(stores)
          || each.startsWith("KV_" + stores)) {
        management.deleteStream(each);
      }
    }
  }
}
