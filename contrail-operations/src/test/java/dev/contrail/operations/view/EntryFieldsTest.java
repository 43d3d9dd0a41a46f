package dev.contrail.operations.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Reason;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EntryFieldsTest {
  @Test
  void what_tells_most_comes_first_where_room_is_little() {
    assertThat(inBrief("the command failed (exit 1): no rate for EUR"))
        .isEqualTo("no rate for EUR (exit 1)");
    assertThat(inBrief("the command was killed by SIGKILL (exit 137): out of memory\nat 3"))
        .isEqualTo("out of memory\nat 3 (exit 137)");
    assertThat(inBrief("the command failed (exit 1)"))
        .isEqualTo("the command failed (exit 1) (OddException)");
    assertThat(inBrief("no such customer")).isEqualTo("no such customer (OddException)");
    assertThat(inBrief("")).isEqualTo("OddException");
  }

  private static String inBrief(String message) {
    return EntryFields.inBrief(
        new DeadLetterSummary(
            new DeadLetterId("ORDERS", "billing", "abc", 7),
            Reason.REJECTED,
            "orders.new",
            1,
            "shop.OddException",
            message,
            "f",
            Instant.EPOCH,
            Instant.EPOCH,
            1,
            "00",
            Optional.empty(),
            false));
  }
}
