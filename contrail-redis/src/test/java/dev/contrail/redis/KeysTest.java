package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.ledger.LedgerScope;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeysTest {
  @Test
  void a_completion_is_called_by_stream_consumer_incarnation_and_sequence() {
    Keys keys = new Keys("contrail", new LedgerScope("ORDERS", "billing", "ho77nadw1d"));
    assertThat(text(keys.of(42))).isEqualTo("contrail:processed:ORDERS:billing:ho77nadw1d:42");
    assertThat(text(keys.lifetime())).isEqualTo("contrail:processed-ttl:ORDERS:billing:ho77nadw1d");
    assertThat(keys.pattern()).isEqualTo("contrail:processed:ORDERS:billing:ho77nadw1d:*");
  }

  @Test
  void names_with_colons_are_told_apart() {
    Keys one = new Keys("c", new LedgerScope("A:B", "C", "1"));
    Keys other = new Keys("c", new LedgerScope("A", "B:C", "1"));
    Keys third = new Keys("c", new LedgerScope("A%3AB", "C", "1"));
    assertThat(text(one.of(1))).isEqualTo("c:processed:A%3AB:C:1:1");
    assertThat(text(other.of(1))).isEqualTo("c:processed:A:B%3AC:1:1");
    assertThat(text(third.of(1))).isEqualTo("c:processed:A%253AB:C:1:1");
  }

  @Test
  void a_name_is_no_pattern() {
    assertThat(new Keys("c", new LedgerScope("A?[x]", "C", "1")).pattern())
        .isEqualTo("c:processed:A\\?\\[x\\]:C:1:*");
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
