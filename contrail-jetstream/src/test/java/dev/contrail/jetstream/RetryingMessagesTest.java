package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.report.WorkerReport;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryingMessagesTest {
  private final RetryingMessages messages = new RetryingMessages();

  private static WorkerTroubles.Failed failed(long sequence, long deliveries, Throwable cause) {
    return new WorkerTroubles.Failed(sequence, deliveries, 0, cause);
  }

  @Test
  void messages_that_fail_alike_are_one_kind_with_the_highest_delivery() {
    messages.add(
        List.of(
            failed(1, 1, new Error("no 1")),
            failed(2, 7, new Error("no 2")),
            failed(1, 2, new Error("no 1")),
            failed(3, 1, new Error("other"))));
    assertThat(messages.told().retrying())
        .extracting(WorkerReport.Retrying::messages)
        .containsExactly(2L, 1L);
    assertThat(messages.told().retrying().get(0).mostDeliveries()).isEqualTo(7);
    assertThat(messages.told().more()).isZero();
  }

  @Test
  void those_that_the_worker_does_not_know_any_more_are_forgotten() {
    messages.add(List.of(failed(1, 1, new Error("a")), failed(2, 1, new Error("a"))));
    BitSet second = new BitSet();
    second.set(1);
    messages.keep(messages.question(0), second);
    assertThat(messages.told().retrying())
        .singleElement()
        .satisfies(it -> assertThat(it.messages()).isEqualTo(1));
    messages.keep(messages.question(0), new BitSet());
    assertThat(messages.told().retrying()).isEmpty();
  }

  @Test
  void there_is_an_end_to_kinds_and_to_messages() {
    List<WorkerTroubles.Failed> many = new ArrayList<>();
    for (int i = 0; i < 25_000; i++) {
      many.add(failed(i, 1, new Error("kind " + (char) ('a' + i % 26))));
    }
    messages.add(many);
    RetryingMessages.Told told = messages.told();
    assertThat(told.retrying()).hasSize(WorkerReport.MOST_RETRYING);
    assertThat(
            told.retrying().stream().mapToLong(WorkerReport.Retrying::messages).sum() + told.more())
        .isEqualTo(20_000);
  }

  @Test
  void failures_without_a_note_do_not_add_up_while_nothing_is_told() {
    for (int second = 0; second < 60; second++) {
      messages.addUnnoted(100);
    }
    messages.addUnnoted(0);
    assertThat(messages.tell().more()).isEqualTo(100);
    assertThat(messages.tell().more()).isZero();
  }
}
