package dev.contrail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.NumericChars;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterIdTest {
  private final DeadLetterId id = new DeadLetterId("ORDERS", "billing", "g2k3x9a1b", 42);

  @Test
  void an_id_is_written_as_one_word() {
    assertThat(id).hasToString("ORDERS.billing.g2k3x9a1b.42");
  }

  @Property
  void what_is_written_is_read_back(
      @ForAll @NotEmpty @AlphaChars @NumericChars @Chars({'_', '-', '$', 'é'}) String stream,
      @ForAll @NotEmpty @AlphaChars @NumericChars @Chars({'_', '-'}) String consumer,
      @ForAll @LongRange(min = 1) long sequence) {
    DeadLetterId any = new DeadLetterId(stream, consumer, "g2k3x9a1b", sequence);

    assertThat(DeadLetterId.parse(any.toString())).isEqualTo(any);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ORDERS",
        "ORDERS.billing.42",
        "ORDERS.billing.g2k.0",
        "ORDERS.billing.g2k.-1",
        "ORDERS.billing.g2k.007",
        "ORDERS.billing.g2k.x",
        "ORDERS.billing.g2k.9223372036854775808",
        "ORDERS.billing.g2k.42.1",
        "ORDERS..g2k.42",
        "OR DERS.billing.g2k.42",
        "ORDERS.*.g2k.42",
        "ORDERS.billing.g2k.42\n"
      })
  void anything_else_is_refused_with_an_example(String text) {
    assertThatThrownBy(() -> DeadLetterId.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'"
                + text
                + "' is no id of a dead letter; one reads STREAM.CONSUMER.INCARNATION.SEQUENCE,"
                + " such as ORDERS.billing.g2k3x9a1b.42.");
  }

  @Test
  void a_name_that_would_break_the_subject_is_refused() {
    assertThatThrownBy(() -> new DeadLetterId("A.B", "billing", "g2k", 1))
        .hasMessage(
            "The stream name 'A.B' cannot stand in the id of a dead letter:"
                + " it must not be empty nor hold blanks, '.', '*' or '>'.");
    assertThatThrownBy(() -> new DeadLetterId("A", "billing", "g2k", 0))
        .hasMessage("The sequence of a dead letter must be at least 1, not 0.");
  }

  @Test
  void subjects_follow_from_the_id_and_the_prefix() {
    assertThat(id.subject("contrail")).isEqualTo("contrail.dlq.ORDERS.billing.g2k3x9a1b.42");
    assertThat(id.partSubject("ops.contrail", 3, "beef"))
        .isEqualTo("ops.contrail.part.ORDERS.billing.g2k3x9a1b.42.3.beef");
  }

  @Test
  void the_id_is_read_from_its_subject_and_from_no_other() {
    assertThat(DeadLetterId.ofSubject("contrail", id.subject("contrail"))).contains(id);
    assertThat(DeadLetterId.ofSubject("contrail", id.subject("other"))).isEmpty();
    assertThat(DeadLetterId.ofSubject("contrail", id.partSubject("contrail", 1, "beef"))).isEmpty();
    assertThat(DeadLetterId.ofSubject("contrail", "contrail.dlq.nonsense")).isEmpty();
  }

  @Test
  void an_incarnation_is_the_creation_time_in_microseconds_in_base_36() {
    Instant created = Instant.parse("2026-01-02T03:04:05.678901234Z");

    assertThat(Incarnation.of(created)).isEqualTo(Long.toString(1_767_323_045_678_901L, 36));
    assertThat(Incarnation.of(created.plusNanos(1_000))).isNotEqualTo(Incarnation.of(created));
  }

  @Test
  void reasons_are_written_as_they_are_documented_and_read_back() {
    assertThat(Reason.values())
        .extracting(Reason::text)
        .containsExactly(
            "delivery-limit",
            "undecodable",
            "rejected",
            "expiring",
            "exhausted",
            "terminated",
            "orphaned");
    for (Reason reason : Reason.values()) {
      assertThat(Reason.parse(reason.text())).contains(reason);
    }
    assertThat(Reason.parse("bored")).isEmpty();
  }
}
