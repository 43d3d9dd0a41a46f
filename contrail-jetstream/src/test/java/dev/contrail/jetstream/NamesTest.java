package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  @Test
  void everything_is_called_after_the_prefix() {
    Names names = new Names("acme-2");

    assertThat(names.deadLetterStream()).isEqualTo("ACME-2_DLQ");
    assertThat(names.deadLetterSubjects("ORDERS", "billing"))
        .isEqualTo("acme-2.dlq.ORDERS.billing.>");
    assertThat(names.partSubjects("ORDERS", "billing")).isEqualTo("acme-2.part.ORDERS.billing.>");
    assertThat(Store.RETRIES.bucket(names)).contains("ACME-2_RETRIES");
    assertThat(Store.RETRIES.stream(names)).isEqualTo("KV_ACME-2_RETRIES");
  }

  @Test
  void the_default_prefix_gives_the_documented_names() {
    assertThat(Store.values())
        .extracting(store -> store.stream(Names.DEFAULT))
        .containsExactly(
            "CONTRAIL_DLQ",
            "CONTRAIL_EVENTS",
            "CONTRAIL_LEDGER",
            "CONTRAIL_ADVISORIES",
            "KV_CONTRAIL_LEASES",
            "KV_CONTRAIL_RETRIES",
            "KV_CONTRAIL_WORKERS",
            "KV_CONTRAIL_PAUSES",
            "KV_CONTRAIL_TOKENS");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a.b", "a b", "*", ">", "1a", "é", "abcdefghijklmnopqrstuvwxyz0123456"})
  void a_prefix_that_fits_no_subject_is_refused_with_what_is_accepted(String prefix) {
    assertThatThrownBy(() -> new Names(prefix))
        .isInstanceOf(ContrailException.class)
        .hasMessage(
            "The prefix “"
                + prefix
                + "” is not accepted: it must be 1 to 32 letters, digits, - or _, a letter first.");
  }
}
