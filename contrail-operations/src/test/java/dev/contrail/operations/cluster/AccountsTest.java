package dev.contrail.operations.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.operations.cluster.Accounts.Place;
import dev.contrail.operations.cluster.JournalLine.What;
import org.junit.jupiter.api.Test;

/** What the long runs rely on notices what is wrong. */
class AccountsTest {
  private static final Place PLACE = new Place(Site.ORDERS, 7);

  private final Accounts accounts = new Accounts();

  private void say(String process, What what, long nanos, String detail) {
    accounts.add(process, new JournalLine(what, PLACE.stream(), PLACE.sequence(), nanos, detail));
  }

  private void complete(String process, long from) {
    say(process, What.OPEN, from, "");
    say(process, What.RUN, from + 1, "0 ok 17");
    say(process, What.DONE, from + 2, "");
    say(process, What.RECORDED, from + 3, "");
  }

  @Test
  void one_that_is_run_once_is_fine() {
    complete("a", 1);

    assertThat(accounts.violations()).isEmpty();
    assertThat(accounts.isDone(PLACE)).isTrue();
    assertThat(accounts.completions()).isEqualTo(1);
    assertThat(accounts.figures()).isEqualTo(new Accounts.Figures(1, 0, 0, 0, 0));
  }

  @Test
  void one_that_comes_again_and_is_known_is_fine() {
    complete("a", 1);
    say("b", What.KNOWN, 10, "1");
    say("b", What.KNOWN, 11, "2");

    assertThat(accounts.violations()).isEmpty();
    assertThat(accounts.figures()).isEqualTo(new Accounts.Figures(1, 0, 0, 2, 1));
  }

  @Test
  void one_that_passes_after_its_record_is_noticed() {
    complete("a", 1);
    complete("b", 10);

    assertThat(accounts.violations())
        .containsExactly("ORDERS 7 passed as open in b after it was recorded");
    assertThat(accounts.figures()).isEqualTo(new Accounts.Figures(1, 1, 0, 0, 0));
  }

  @Test
  void the_order_of_journals_does_not_matter() {
    complete("b", 10);
    complete("a", 1);

    assertThat(accounts.violations()).hasSize(1);
  }

  @Test
  void one_that_passed_before_its_record_is_counted() {
    complete("a", 1);
    complete("b", 2);

    assertThat(accounts.violations()).isEmpty();
    assertThat(accounts.figures()).isEqualTo(new Accounts.Figures(1, 1, 1, 0, 0));
  }

  @Test
  void a_run_that_was_cut_off_is_no_second_one() {
    say("a", What.OPEN, 1, "");
    say("a", What.RUN, 2, "0 ok 17");
    complete("b", 10);

    assertThat(accounts.violations()).isEmpty();
    assertThat(accounts.figures()).isEqualTo(new Accounts.Figures(1, 0, 0, 0, 0));
  }

  @Test
  void a_run_for_which_nobody_asked_is_noticed() {
    say("a", What.OPEN, 1, "");
    say("b", What.RUN, 2, "0 ok 17");

    assertThat(accounts.violations()).containsExactly("ORDERS 7 was run in b unasked");
  }

  @Test
  void a_task_that_is_stored_twice_is_found_in_two_places() {
    complete("a", 1);
    accounts.add("a", new JournalLine(What.RUN, Site.ORDERS, 8, 20, "0 ok 17"));
    accounts.add("a", new JournalLine(What.RUN, Site.ORDERS, 9, 21, "1 ok 17"));

    assertThat(accounts.originals())
        .containsEntry(
            new Task(Task.Kind.OK, 17), java.util.List.of(PLACE, new Place(Site.ORDERS, 8)));
  }
}
