package dev.contrail.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureKindTest {
  @Test
  void it_has_the_fingerprint_of_the_dead_letter_and_nothing_of_the_message() {
    Exception thrown = new IllegalStateException("order 4711 of \"Ada\"\nis late\u001b[31m");
    FailureKind kind = FailureKind.of(thrown);
    assertThat(kind.fingerprint()).isEqualTo(Failure.of(thrown).fingerprint());
    assertThat(kind.what()).isEqualTo("java.lang.IllegalStateException: order # of ? is late [#");
  }

  @Test
  void it_is_bounded_and_survives_hostile_exceptions() {
    assertThat(FailureKind.of(new IllegalStateException("long ".repeat(1_000))).what().length())
        .isLessThanOrEqualTo(240);
    Exception hostile =
        new RuntimeException() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new IllegalStateException("no");
          }
        };
    assertThat(FailureKind.of(hostile).what()).contains("getMessage() threw");
  }
}
