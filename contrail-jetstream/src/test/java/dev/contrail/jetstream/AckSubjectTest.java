package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AckSubjectTest {
  @Test
  void the_short_form_is_read() {
    assertThat(AckSubject.parse("$JS.ACK.ORDERS.billing.3.17.29.1700000000123456789.5"))
        .isEqualTo(new AckSubject(3, 17, 1_700_000_000_123_456_789L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$JS.ACK.hub.ACCHASH.ORDERS.billing.3.17.29.1700000000123456789.5",
        "$JS.ACK._.ACCHASH.ORDERS.billing.3.17.29.1700000000123456789.5.token",
        "$JS.ACK._.ACCHASH.ORDERS.billing.3.17.29.1700000000123456789.5.token.more"
      })
  void the_long_form_is_read_with_or_without_what_may_follow(String subject) {
    assertThat(AckSubject.parse(subject))
        .isEqualTo(new AckSubject(3, 17, 1_700_000_000_123_456_789L));
  }

  @Property
  void whatever_the_names_and_numbers_are_both_forms_say_the_same(
      @ForAll("token") String stream,
      @ForAll("token") String consumer,
      @ForAll @LongRange(min = 1) long deliveries,
      @ForAll @LongRange(min = 1) long sequence,
      @ForAll @LongRange(min = 0) long published) {
    String rest =
        stream + "." + consumer + "." + deliveries + "." + sequence + ".9." + published + ".0";
    AckSubject expected = new AckSubject(deliveries, sequence, published);

    assertThat(AckSubject.parse("$JS.ACK." + rest)).isEqualTo(expected);
    assertThat(AckSubject.parse("$JS.ACK._.A1B2C3." + rest)).isEqualTo(expected);
    assertThat(AckSubject.isOne("$JS.ACK." + rest)).isTrue();
  }

  @Provide
  Arbitrary<String> token() {
    return Arbitraries.strings()
        .all()
        .excludeChars('.', '*', '>', ' ')
        .ofMinLength(1)
        .ofMaxLength(20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "$JS.ACK.",
        "$JS.ACK.ORDERS.billing.3.17.29.1700000000123456789",
        "$JS.ACK.hub.ORDERS.billing.3.17.29.1700000000123456789.5",
        "$JS.ACK.ORDERS.billing.x.17.29.1700000000123456789.5"
      })
  void anything_else_is_refused(String subject) {
    assertThatThrownBy(() -> AckSubject.parse(subject))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "$JS.FC.ORDERS.x", "_INBOX.abc", "$js.ack.ORDERS"})
  void other_subjects_are_none(String subject) {
    assertThat(AckSubject.isOne(subject)).isFalse();
  }
}
