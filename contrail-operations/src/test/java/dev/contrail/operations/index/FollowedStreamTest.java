package dev.contrail.operations.index;

import static dev.contrail.operations.index.Graveyard.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamState;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class FollowedStreamTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String STREAM = "FOLLOWED";

  private final Graveyard graveyard;

  FollowedStreamTest(NatsServerBinary binary) {
    graveyard = new Graveyard(binary);
  }

  private final Set<Long> known = new ConcurrentSkipListSet<>();
  private JetStreamManagement management;

  @BeforeEach
  void fill() throws Exception {
    management = graveyard.management();
    management.addStream(StreamConfiguration.builder().name(STREAM).subjects("followed").build());
    for (int i = 0; i < 6; i++) {
      graveyard.connection.jetStream().publish("followed", new byte[0]);
    }
  }

  @AfterEach
  void close() {
    graveyard.close();
  }

  @Test
  void a_deletion_is_seen_though_as_many_are_deleted_as_before() throws Exception {
    try (FollowedStream stream = followed(message -> {})) {
      stream.open(true);
      awaitCaughtUp(stream);
      delete(3);
      stream.check();
      assertThat(known).containsExactly(1L, 2L, 4L, 5L, 6L);

      delete(1, 2, 5);
      assertThat(state().getDeletedCount()).as("as before").isEqualTo(1);
      stream.check();

      assertThat(known).containsExactly(4L, 6L);
    }
  }

  @Test
  void what_was_on_its_way_when_it_was_deleted_is_dropped_when_it_is_read() throws Exception {
    CompletableFuture<FollowedStream> itself = new CompletableFuture<>();
    try (FollowedStream stream =
        followed(
            message -> {
              if (message.metaData().streamSequence() == 1) {
                allIsOnItsWay();
                delete(3);
                itself.join().check();
              }
            })) {
      itself.complete(stream);
      stream.open(true);
      awaitCaughtUp(stream);
      assertThat(known).as("read after it was deleted").contains(3L);

      stream.check();

      assertThat(known).containsExactly(1L, 2L, 4L, 5L, 6L);
    }
  }

  @Test
  void it_has_caught_up_where_the_rest_was_deleted_before_it_was_read() throws Exception {
    try (StreamFollower follower =
        new StreamFollower(graveyard.connection, OPTIONS, STREAM, message -> {})) {
      StreamState before = state();
      delete(4, 5, 6);
      follower.begin(4, before);
      assertThat(follower.isCaughtUp()).isFalse();

      StreamState now = state();
      await()
          .atMost(SOON)
          .until(
              () -> {
                follower.check(now);
                return follower.isCaughtUp();
              });
    }
  }

  private FollowedStream followed(Consumer<Message> first) {
    return new FollowedStream(
        graveyard.connection,
        OPTIONS,
        STREAM,
        message -> {
          first.accept(message);
          known.add(message.metaData().streamSequence());
        },
        gone -> known.removeIf(gone::test),
        known::clear);
  }

  /** What the server has sent has arrived when it answers to what was sent after it. */
  private void allIsOnItsWay() {
    await().atMost(SOON).until(() -> management.getConsumers(STREAM).get(0).getNumPending() == 0);
    try {
      graveyard.connection.flush(SOON);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void delete(long... sequences) {
    try {
      for (long sequence : sequences) {
        management.deleteMessage(STREAM, sequence, false);
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private StreamState state() throws Exception {
    return management.getStreamInfo(STREAM).getStreamState();
  }

  private static void awaitCaughtUp(FollowedStream stream) throws InterruptedException {
    stream.awaitCaughtUp(System.nanoTime() + TimeUnit.SECONDS.toNanos(30));
    assertThat(stream.isCaughtUp()).isTrue();
  }
}
