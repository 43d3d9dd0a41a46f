package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.Attempts.Next;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AttemptsTest {
  private static final double LONGEST = 1;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final DuplicateMemory TWO_MINUTES =
      new DuplicateMemory(Duration.ofMinutes(2), false);

  private static long at(double seconds) {
    return (long) (seconds * 1e9);
  }

  private static Attempts attempts(Optional<DuplicateMemory> memory) {
    return new Attempts(at(0), MINUTE, Duration.ofSeconds(5), memory);
  }

  @Test
  void a_message_is_sent_at_once_and_its_answer_awaited() {
    Attempts attempts = attempts(Optional.empty());
    assertThat(attempts.next(at(0), true, LONGEST)).isEqualTo(Next.SEND);
    attempts.sent(at(0), "A");
    assertThat(attempts.next(at(4.9), true, LONGEST)).isEqualTo(Next.WAIT);
    assertThat(attempts.mayBeStored()).isTrue();
  }

  @Test
  void nothing_is_sent_while_the_server_is_away_and_nothing_can_be_stored() {
    Attempts attempts = attempts(Optional.of(TWO_MINUTES));
    assertThat(attempts.next(at(0), false, LONGEST)).isEqualTo(Next.WAIT);
    assertThat(attempts.next(at(59.9), false, LONGEST)).isEqualTo(Next.WAIT);
    assertThat(attempts.next(at(60), false, LONGEST)).isEqualTo(Next.GIVE_UP);
    assertThat(attempts.mayBeStored()).isFalse();
  }

  @Test
  void without_time_for_retries_a_message_is_sent_once() {
    Attempts attempts =
        new Attempts(at(0), Duration.ZERO, Duration.ofSeconds(5), Optional.of(TWO_MINUTES));
    assertThat(attempts.next(at(0.001), true, LONGEST)).isEqualTo(Next.SEND);
    attempts.sent(at(0.001), "A");
    attempts.refused(at(1), "busy", 0);
    assertThat(attempts.next(at(1), true, LONGEST)).isEqualTo(Next.GIVE_UP);
  }

  @Test
  void without_time_for_retries_what_did_not_leave_is_given_up() {
    Attempts attempts =
        new Attempts(at(0), Duration.ZERO, Duration.ofSeconds(5), Optional.of(TWO_MINUTES));
    assertThat(attempts.next(at(0), false, LONGEST)).isEqualTo(Next.GIVE_UP);
    attempts.sent(at(0), "A");
    attempts.notSent(at(0), "not connected", 0);
    assertThat(attempts.next(at(1), true, LONGEST)).isEqualTo(Next.GIVE_UP);
  }

  @Test
  void what_was_refused_for_now_is_sent_again_later_without_a_question() {
    Attempts attempts = attempts(Optional.empty());
    attempts.sent(at(0), "A");
    attempts.refused(at(1), "busy", LONGEST);
    assertThat(attempts.mayBeStored()).isFalse();
    assertThat(attempts.next(at(1.05), true, LONGEST)).isEqualTo(Next.WAIT);
    assertThat(attempts.next(at(1.1), true, LONGEST)).isEqualTo(Next.SEND);
  }

  @Test
  void nothing_is_sent_while_it_is_asked_whether_a_stream_takes_it() {
    Attempts attempts = attempts(Optional.empty());
    attempts.sent(at(0), "A");
    attempts.refused(at(1), "no stream takes it", LONGEST);
    attempts.lookUpBegins();
    assertThat(attempts.next(at(30), true, LONGEST)).isEqualTo(Next.WAIT);
    attempts.lookUpEnds();
    assertThat(attempts.next(at(30), true, LONGEST)).isEqualTo(Next.SEND);
  }

  @Test
  void the_time_for_retries_ends_while_it_is_asked_whether_a_stream_takes_it() {
    Attempts attempts = attempts(Optional.empty());
    attempts.sent(at(0), "A");
    attempts.refused(at(1), "no stream takes it", LONGEST);
    attempts.lookUpBegins();
    assertThat(attempts.next(at(60), true, LONGEST)).isEqualTo(Next.GIVE_UP);
    assertThat(attempts.mayBeStored()).isFalse();
  }

  @Test
  void before_an_unanswered_message_is_sent_again_the_window_must_be_known() {
    Attempts attempts = attempts(Optional.empty());
    attempts.sent(at(0), "A");
    assertThat(attempts.next(at(5), true, 0)).isEqualTo(Next.LEARN);
    attempts.askedAt(at(5));
    assertThat(attempts.next(at(9), true, 0)).isEqualTo(Next.WAIT);
    assertThat(attempts.next(at(10), true, 0)).isEqualTo(Next.LEARN);
    attempts.askedAt(at(10));
    attempts.learned(TWO_MINUTES);
    assertThat(attempts.next(at(10.1), true, 0)).isEqualTo(Next.SEND);
  }

  @Test
  void an_unanswered_message_is_not_sent_again_when_three_quarters_of_the_window_are_over() {
    DuplicateMemory tenSeconds = new DuplicateMemory(Duration.ofSeconds(10), false);
    Attempts attempts = attempts(Optional.of(tenSeconds));
    attempts.sent(at(0), "A");
    attempts.refused(at(1), "busy", 0);
    attempts.sent(at(2), "A");
    attempts.unanswered(at(3), "lost", 0);
    assertThat(attempts.next(at(9.4), true, 0)).as("7.4 s after it was sent").isEqualTo(Next.SEND);
    attempts.sent(at(9.4), "A");
    assertThat(attempts.next(at(9.6), true, 0)).as("its answer may come").isEqualTo(Next.WAIT);
    attempts.refused(at(9.7), "busy", 0);
    assertThat(attempts.next(at(9.7), true, 0)).isEqualTo(Next.GIVE_UP);
    assertThat(attempts.mayBeStored()).as("by the attempt before").isTrue();
  }

  @Test
  void a_window_that_nobody_tells_ends_at_the_deadline_in_not_knowing() {
    Attempts attempts = attempts(Optional.empty());
    attempts.sent(at(0), "A");
    attempts.unanswered(at(1), "lost", 0);
    assertThat(attempts.next(at(60), true, 0)).isEqualTo(Next.GIVE_UP);
    assertThat(attempts.mayBeStored()).isTrue();
  }

  @Test
  void what_did_not_leave_is_no_attempt() {
    Attempts attempts = attempts(Optional.empty());
    attempts.sent(at(0), "A");
    attempts.notSent(at(0), "not connected", 0);
    assertThat(attempts.count()).isZero();
    assertThat(attempts.mayBeStored()).isFalse();
  }

  @Test
  void a_message_may_be_stored_twice_when_the_server_that_did_not_answer_is_another_by_now() {
    DuplicateMemory forgets = new DuplicateMemory(Duration.ofMinutes(2), true);
    assertThat(unansweredBy("A", forgets).mayBeTwice("B")).isTrue();
    assertThat(unansweredBy("A", forgets).mayBeTwice("A")).isFalse();
    assertThat(unansweredBy("A", TWO_MINUTES).mayBeTwice("B")).isFalse();
    assertThat(attempts(Optional.of(forgets)).mayBeTwice("B")).isFalse();
  }

  private static Attempts unansweredBy(String server, DuplicateMemory memory) {
    Attempts attempts = attempts(Optional.of(memory));
    attempts.sent(at(0), server);
    attempts.unanswered(at(1), "lost", 0);
    return attempts;
  }
}
