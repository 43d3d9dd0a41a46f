package dev.contrail.console.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.index.IndexEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NewGroupsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final List<IndexEntry> begun = new ArrayList<>();
  private final NewGroups groups =
      new NewGroups(without -> List.copyOf(begun.subList(without, begun.size())));

  private void dies(String group, Duration ago) {
    begun.add(
        new IndexEntry(
            new DeadLetterSummary(
                new DeadLetterId("ORDERS", "billing", "a1", begun.size() + 1),
                Reason.REJECTED,
                "orders.4711",
                1,
                "com.example.CardException",
                "card 4111 1111 1111 1111 refused",
                group,
                NOW.minus(ago),
                NOW,
                1,
                "00",
                Optional.empty(),
                false),
            EntryState.NEW,
            begun.size() + 1));
  }

  @Test
  void old_groups_are_no_news_after_a_start_and_what_died_meanwhile_is() {
    dies("last-year", Duration.ofDays(365));
    dies("eleven-minutes", Duration.ofMinutes(11));
    dies("meanwhile", Duration.ofMinutes(9));
    assertThat(groups.look(NOW))
        .extracting(it -> it.about().get("group"))
        .containsExactly("meanwhile");
    assertThat(groups.look(NOW)).isEmpty();
    dies("stored-late", Duration.ofHours(2));
    dies("imported", Duration.ofDays(30));
    dies("now", Duration.ZERO);
    assertThat(groups.look(NOW))
        .extracting(it -> it.about().get("group"))
        .containsExactly("stored-late", "now");
    assertThat(groups.look(NOW)).isEmpty();
  }

  @Test
  void neither_what_the_exception_says_nor_the_subject_is_told() {
    dies("now", Duration.ZERO);
    Notice notice = groups.look(NOW).get(0);
    assertThat(notice.text())
        .isEqualTo(
            "A message of ORDERS died for billing of something new: com.example.CardException"
                + " (rejected).");
    assertThat(notice.toString()).doesNotContain("4111", "4711");
  }
}
