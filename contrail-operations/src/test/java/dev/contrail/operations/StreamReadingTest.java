package dev.contrail.operations;

import static dev.contrail.operations.TestServer.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamApiException;
import io.nats.client.PurgeOptions;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class StreamReadingTest {
  private static final String STREAM = "S";

  /** More than a reading has under way, so that what is purged at its first one is not sent. */
  private static final int MANY = 2_000;

  private final NatsServerBinary binary;
  private final List<Long> read = new ArrayList<>();
  private final AtomicLong now = new AtomicLong();
  private TestServer server;

  StreamReadingTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(binary);
    server.management.addStream(
        StreamConfiguration.builder().name(STREAM).subjects("s.>", "t.>").build());
  }

  @AfterEach
  void end() {
    server.close();
  }

  @Test
  void it_ends_where_the_stream_ended_while_somebody_writes_faster_than_it_reads() {
    for (int i = 0; i < 50; i++) {
      publish("s.a");
    }

    read(
        () -> {
          publish("s.a");
          publish("s.a");
        });

    assertThat(read).hasSizeBetween(50, 51).startsWith(1L, 2L).contains(50L);
  }

  /** What a compaction purges is in a snapshot that may lie beyond the end as it was. */
  @Test
  void what_was_purged_in_a_reading_that_takes_long_is_read_where_it_was_put_before() {
    for (int i = 0; i < MANY; i++) {
      publish("s.block");
    }
    publish("s.other");

    read(
        onFirst(
            () -> {
              publish("s.block");
              later(Duration.ofSeconds(30));
              purge("s.block", MANY);
            }));

    assertThat(read).hasSizeLessThan(MANY).endsWith(MANY + 1L, MANY + 2L);
  }

  @Test
  void how_far_to_read_is_asked_as_often_as_it_has_taken_long() {
    for (int i = 0; i < MANY; i++) {
      publish("s.a");
    }

    read(
        () -> {
          later(Duration.ofSeconds(1));
          if (read.size() <= MANY * 3 / 2) {
            publish("s.a");
          }
        });

    assertThat(read).hasSize(MANY * 5 / 2);
  }

  @Test
  void what_was_purged_before_it_was_sent_is_not_waited_for() {
    publish("s.a");
    for (int i = 0; i < MANY; i++) {
      publish("s.barrier");
    }
    publish("t.other");

    read(onFirst(() -> purge("s.barrier", MANY + 2)));

    assertThat(read).hasSizeLessThan(MANY).startsWith(1L);
  }

  private void read(Runnable onEach) {
    StreamReading reading = new StreamReading(server.connection, OPTIONS, STREAM, now::get);
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () ->
            reading.read(
                "s.>",
                new OrderedConsumerConfiguration().deliverPolicy(DeliverPolicy.All),
                message -> {
                  read.add(message.metaData().streamSequence());
                  onEach.run();
                }));
  }

  private Runnable onFirst(Runnable task) {
    return () -> {
      if (read.size() == 1) {
        task.run();
      }
    };
  }

  private void later(Duration duration) {
    now.addAndGet(duration.toNanos());
  }

  private void publish(String subject) {
    try {
      server.jetStream.publish(subject, new byte[0]);
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException(e);
    }
  }

  private void purge(String subject, long below) {
    try {
      server.management.purgeStream(
          STREAM, PurgeOptions.builder().subject(subject).sequence(below).build());
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException(e);
    }
  }
}
