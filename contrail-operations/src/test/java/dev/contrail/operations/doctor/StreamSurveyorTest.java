package dev.contrail.operations.doctor;

import static dev.contrail.operations.TestServer.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.contrail.operations.TestServer;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock here may be wrong; ages are those that the server goes by when it deletes. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class StreamSurveyorTest {
  private static final String STREAM = "ORDERS";

  private final NatsServerBinary binary;
  private TestServer place;

  StreamSurveyorTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = TestServer.start(binary);
    place.addStream(STREAM, RetentionPolicy.Limits);
    place.management.addOrUpdateConsumer(
        STREAM, ConsumerConfiguration.builder().durable("billing").build());
    place.jetStream.publish(STREAM + ".new", new byte[0]);
    place.connection.getStreamContext(STREAM).getConsumerContext("billing").next().ack();
  }

  @AfterEach
  void close() {
    place.close();
  }

  private SurveyedStream surveyed(Duration wrong) {
    StreamSurveyor surveyor =
        new StreamSurveyor(
            new JetStreamServer(place.connection, OPTIONS),
            Set.of(),
            Clock.offset(Clock.systemUTC(), wrong));
    return surveyor.survey(STREAM, surveyor.glance(STREAM).orElseThrow()).orElseThrow();
  }

  private boolean tellsItsTime() {
    return place.connection.getServerInfo().isSameOrNewerThanVersion("2.10.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"P1D", "-P1D"})
  void moments_are_of_the_servers_clock(Duration wrong) {
    assumeTrue(tellsItsTime());
    SurveyedStream stream = surveyed(wrong);

    Instant published = stream.now().lastTime().orElseThrow();
    assertThat(stream.now().at()).isCloseTo(published, within(1, ChronoUnit.MINUTES));
    assertThat(stream.consumers().get(0).now().at())
        .isCloseTo(published, within(1, ChronoUnit.MINUTES));
  }

  @Test
  void a_moment_is_never_before_what_the_server_tells_of() {
    SurveyedStream stream = surveyed(Duration.ofDays(-1));

    assertThat(stream.now().at()).isAfterOrEqualTo(stream.now().lastTime().orElseThrow());
    assertThat(stream.consumers().get(0).now().at())
        .isAfterOrEqualTo(stream.consumers().get(0).now().lastActive().orElseThrow());
  }
}
