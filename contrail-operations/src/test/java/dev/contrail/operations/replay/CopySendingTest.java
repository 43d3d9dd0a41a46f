package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.CopyPublisher.Fate;
import dev.contrail.jetstream.CopyPublisher.Held;
import dev.contrail.jetstream.EventStore.Decider;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanProgress;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CopySendingTest {
  private static final Duration WINDOW = Duration.ofMinutes(2);
  private static final DeadLetterId ID = new DeadLetterId("ORDERS", "billing", "abc", 7);
  private static final Fate.Stored DUPLICATE = new Fate.Stored("ORDERS", 9, true);

  private int published;
  private boolean takenOver;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_duplicate_that_is_gone_was_published_by_somebody_and_processed(boolean perhapsSent) {
    assertThat(send(DUPLICATE, Held.NOTHING, copy(Outlook.INFERRED, perhapsSent, Duration.ZERO)))
        .isEqualTo(DUPLICATE);
    assertThat(send(DUPLICATE, Held.THE_COPY, copy(Outlook.INFERRED, perhapsSent, Duration.ZERO)))
        .isEqualTo(DUPLICATE);
  }

  @Test
  void a_duplicate_of_another_message_is_refused_unless_the_copy_may_have_been_sent_before() {
    assertThat(send(DUPLICATE, Held.ANOTHER_MESSAGE, copy(Outlook.INFERRED, false, Duration.ZERO)))
        .isInstanceOf(Fate.Refused.class);
    assertThat(send(DUPLICATE, Held.ANOTHER_MESSAGE, copy(Outlook.INFERRED, true, Duration.ZERO)))
        .isInstanceOf(Fate.Unknown.class);
    // Workers are kept from running what was sent before.
    assertThat(send(DUPLICATE, Held.ANOTHER_MESSAGE, copy(Outlook.TOLD, true, Duration.ZERO)))
        .isInstanceOf(Fate.Refused.class);
  }

  @Test
  void the_first_copy_too_is_published_only_while_the_stream_would_know_a_second_one() {
    Fate stored = new Fate.Stored("ORDERS", 9, false);
    Duration early = WINDOW.dividedBy(2);
    Duration late = WINDOW.multipliedBy(3).dividedBy(4);
    assertThat(send(stored, Held.THE_COPY, copy(Outlook.INFERRED, false, early))).isEqualTo(stored);
    assertThat(published).isEqualTo(1);

    for (Outlook foreign : List.of(Outlook.INFERRED, Outlook.UNKNOWN)) {
      assertThat(send(stored, Held.THE_COPY, copy(foreign, false, late)))
          .isInstanceOf(Fate.Unknown.class);
    }
    assertThat(published).isEqualTo(1);
    assertThat(send(stored, Held.THE_COPY, copy(Outlook.TOLD, false, late))).isEqualTo(stored);
  }

  @Test
  void nothing_is_published_once_another_process_runs_the_plan() {
    takenOver = true;

    assertThat(
            send(
                new Fate.Stored("ORDERS", 9, false),
                Held.THE_COPY,
                copy(Outlook.TOLD, false, Duration.ZERO)))
        .isEqualTo(new Fate.Unknown("another process runs the plan now"));
    assertThat(published).isZero();
  }

  @Test
  void what_is_refused_for_the_moment_is_tried_again() {
    Fate stored = new Fate.Stored("ORDERS", 9, false);
    Fate now = new Fate.Refused("no stream takes orders.new", true);
    Iterator<Fate> answers = List.of(now, now, stored).iterator();

    assertThat(send(answers::next, Held.THE_COPY, copy(Outlook.INFERRED, false, Duration.ZERO)))
        .isEqualTo(stored);
    assertThat(published).isEqualTo(3);
  }

  @Test
  void what_is_refused_again_and_again_is_refused() {
    Fate now = new Fate.Refused("no stream takes orders.new", true);

    assertThat(send(now, Held.NOTHING, copy(Outlook.INFERRED, false, Duration.ZERO)))
        .isEqualTo(new Fate.Refused("no stream takes orders.new"));
    assertThat(published).isEqualTo(11);
  }

  private Fate send(Fate answer, Held held, CopySending.Copy copy) {
    return send(() -> answer, held, copy);
  }

  private Fate send(Supplier<Fate> answer, Held held, CopySending.Copy copy) {
    return new CopySending(
            new Answering(answer),
            (stream, sequence, id) -> CompletableFuture.completedFuture(held),
            () -> takenOver,
            Runnable::run)
        .send(copy)
        .join();
  }

  private static CopySending.Copy copy(Outlook outlook, boolean perhapsSent, Duration age) {
    Optional<String> consumer = Optional.of("billing");
    return new CopySending.Copy(
        new ReplayCopy(ID, 1),
        new Step.Replay("p", "orders.new", "ORDERS", consumer, 0, ID, 1),
        new Destination("orders.new", "ORDERS", consumer, outlook, WINDOW),
        new byte[0],
        new byte[0],
        perhapsSent,
        Moment.now().minus(age),
        0);
  }

  /** Answers every publish so, and counts them. */
  private final class Answering implements ReplayPort {
    private final Supplier<Fate> answer;

    Answering(Supplier<Fate> answer) {
      this.answer = answer;
    }

    @Override
    public CompletableFuture<Fate> publish(String subject, byte[] headerBlock, byte[] payload) {
      published++;
      return CompletableFuture.completedFuture(answer.get());
    }

    @Override
    public CompletableFuture<Decision> decide(
        DeadLetterId entry, EntryState known, Step step, Decider decider) {
      throw new AssertionError("decides");
    }

    @Override
    public CompletableFuture<Boolean> tell(Event outcome) {
      throw new AssertionError("tells");
    }

    @Override
    public CompletableFuture<Boolean> progress(
        String plan, int number, List<PlanProgress> done, String by) {
      throw new AssertionError("writes progress");
    }
  }
}
