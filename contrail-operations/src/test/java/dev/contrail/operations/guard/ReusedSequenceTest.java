package dev.contrail.operations.guard;

import static dev.contrail.operations.TestServer.NAMES;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.operations.TestServer;
import dev.contrail.operations.stranded.Advisory;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Message;
import io.nats.client.api.RetentionPolicy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A stream that was restored from a backup hands out sequences again: each death is its own. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class ReusedSequenceTest extends OnABeat {
  @TempDir private Path folder;

  ReusedSequenceTest(NatsServerBinary binary) {
    super(binary);
  }

  @Test
  void a_message_that_is_terminated_under_the_sequence_of_another_has_a_dead_letter_of_its_own()
      throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 5);
    TestServer.Backup backup = beat.place.backUp("ORDERS", folder);
    beat.publish("ORDERS.new", 2);
    beat.giveUp("ORDERS", "billing", Message::term, 2);
    beat.guardOnce();
    assertThat(beat.letterIds()).hasSize(2);
    backup.restore();
    clocksMayDiffer();
    beat.publish("ORDERS.new", 1);
    beat.giveUp("ORDERS", "billing", Message::term, 3);

    beat.guardOnce();

    List<DeadLetterId> ofTheFirst =
        beat.letterIds().stream()
            .filter(it -> it.sequence() == 1)
            .sorted(Comparator.comparing(DeadLetterId::incarnation))
            .toList();
    assertThat(ofTheFirst).hasSize(2);
    assertThat(ofTheFirst.get(1)).isEqualTo(ofTheFirst.get(0).nextEpoch());
    assertThat(beat.told(GuardEvent.Buried.class).map(GuardEvent.Buried::letter))
        .containsExactlyInAnyOrderElementsOf(beat.letterIds());
    // However often that is repeated.
    beat.options = beat.options.withFromStart(true);
    beat.guardOnce();
    beat.publish("ORDERS.new", 1);
    beat.guardOnce();
    assertThat(beat.letterIds()).hasSize(3);
  }

  @Test
  void a_message_that_is_terminated_twice_died_once() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 5);
    beat.publish("ORDERS.new", 1);
    // The first holder was slow, and another was given it.
    List<Message> slow = beat.take("ORDERS", "billing", 1);
    List<Message> second = beat.take("ORDERS", "billing", 1);
    second.forEach(Message::term);
    await().atMost(Beat.SOON).until(() -> beat.advisories() == 1);
    beat.guardOnce();
    clocksMayDiffer();
    slow.forEach(Message::term);
    await().atMost(Beat.SOON).until(() -> beat.advisories() == 2);

    assertThat(beat.guardOnce().advisories()).isEqualTo(1);

    assertThat(beat.letterIds()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = RetentionPolicy.class,
      names = {"WorkQueue", "Interest", "Limits"})
  void a_message_that_is_given_up_on_under_the_sequence_of_another_has_one_too(
      RetentionPolicy retention) throws Exception {
    beat.place.addStream("ORDERS", retention);
    beat.durable("ORDERS", "billing", 1);
    TestServer.Backup backup = beat.place.backUp("ORDERS", folder);
    beat.publish("ORDERS.new", 1);
    beat.giveUp("ORDERS", "billing", Message::nak, 1);
    beat.guardOnce();
    backup.restore();
    beat.place.connection.jetStream().publish("ORDERS.new", "after".getBytes(UTF_8));
    beat.giveUp("ORDERS", "billing", Message::nak, 2);

    beat.guardOnce();

    assertThat(beat.letters())
        .extracting(it -> new String(it.message().payload(), UTF_8))
        .containsExactlyInAnyOrder("message 0", "after");
    beat.options = beat.options.withFromStart(true);
    beat.guardOnce();
    assertThat(beat.letters()).hasSize(2).allMatch(it -> isOf(it, "billing"));
  }

  private static boolean isOf(DeadLetter letter, String consumer) {
    return letter.id().consumer().equals(consumer)
        && letter.death().reason() == Reason.EXHAUSTED
        && letter.id().sequence() == 1;
  }

  @Test
  void what_was_completed_under_its_sequence_before_is_another_message() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.Limits);
    TestServer.Backup backup = beat.place.backUp("ORDERS", folder);
    try (ContrailConsumer worker =
        Contrail.consumer(beat.place.connection, "ORDERS", "billing")
            .handler(order -> {})
            .start()) {
      beat.publish("ORDERS.new", 1);
      await().atMost(Beat.SOON).until(() -> worker.status().counts().done() == 1);
    }
    backup.restore();
    beat.durable("ORDERS", "billing", 1);
    beat.place.connection.jetStream().publish("ORDERS.new", "after".getBytes(UTF_8));
    beat.giveUp("ORDERS", "billing", Message::nak, 1);

    beat.guardOnce();

    assertThat(beat.letters())
        .extracting(it -> new String(it.message().payload(), UTF_8))
        .containsExactly("after");
  }

  /** Servers of a cluster may disagree about the time: what came so shortly after is not told. */
  private void clocksMayDiffer() throws Exception {
    Instant last =
        beat.place
            .management
            .getStreamInfo(NAMES.advisoryStream())
            .getStreamState()
            .getLastTime()
            .toInstant();
    await().atMost(Beat.SOON).until(() -> Instant.now().isAfter(last.plus(Advisory.CLOCKS_DIFFER)));
  }
}
