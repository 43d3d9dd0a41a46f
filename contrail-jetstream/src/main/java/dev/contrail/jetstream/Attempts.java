package dev.contrail.jetstream;

import dev.contrail.policy.Backoff;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What is known of the attempts to publish one message, and what is to be done about it next. Times
 * are nanoseconds of a clock that only moves forward.
 *
 * <p>An attempt that was refused stored nothing. One that nobody answered may have: from when the
 * first of those was sent, the stream tells a repetition for as long as its duplicate window lasts,
 * and no longer. So none is sent when three quarters of it are over, which leaves the last quarter
 * for what is slow on its way.
 */
final class Attempts {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(5));

  enum Next {
    WAIT,
    SEND,
    /** How the stream tells repetitions has to be known before it may be sent again. */
    LEARN,
    GIVE_UP
  }

  private final Duration answerTimeout;
  private final long deadline;
  private Optional<DuplicateMemory> memory;
  private int count;
  private boolean tried;
  private long dueAt;
  private int lookUps;
  private OptionalLong sentAt = OptionalLong.empty();
  private String sentTo = "";
  private OptionalLong unansweredSince = OptionalLong.empty();
  private final Set<String> unansweredBy = new HashSet<>();
  private String trouble = "the NATS server is away";

  /**
   * @param memory how the stream tells repetitions, where that is known
   */
  Attempts(long now, Duration retryFor, Duration answerTimeout, Optional<DuplicateMemory> memory) {
    this.answerTimeout = answerTimeout;
    this.deadline = now + retryFor.toNanos();
    this.memory = memory;
    this.dueAt = now;
  }

  int count() {
    return count;
  }

  /** Whether it is on its way and an answer may come. */
  boolean isUnderWay() {
    return sentAt.isPresent();
  }

  /** Whether an attempt may have been stored, as far as anybody here knows. */
  boolean mayBeStored() {
    return sentAt.isPresent() || unansweredSince.isPresent();
  }

  /** What went wrong last, in words that follow a colon. */
  String trouble() {
    return trouble;
  }

  /**
   * Whether the attempt that was stored just now may be the second: what the stream remembered of
   * an earlier one may have gone with the server that took it.
   */
  boolean mayBeTwice(String server) {
    return memory.map(DuplicateMemory::forgetsAtRestart).orElse(true)
        && unansweredBy.stream().anyMatch(other -> !other.equals(server));
  }

  void sent(long now, String server) {
    count++;
    tried = true;
    sentTo = server;
    sentAt = OptionalLong.of(now);
  }

  /** It did not leave. */
  void notSent(long now, String why, double jitter) {
    if (sentAt.isPresent()) {
      sentAt = OptionalLong.empty();
      count--;
    }
    again(now, why, jitter);
  }

  /** The server refused it for now: this attempt stored nothing. */
  void refused(long now, String why, double jitter) {
    sentAt = OptionalLong.empty();
    again(now, why, jitter);
  }

  /** No answer can come any more to what was sent. */
  void unanswered(long now, String why, double jitter) {
    if (sentAt.isPresent()) {
      if (unansweredSince.isEmpty()) {
        unansweredSince = sentAt;
      }
      unansweredBy.add(sentTo);
      sentAt = OptionalLong.empty();
      again(now, why, jitter);
    }
  }

  /** Its stream is being asked about; not again for as long as an answer may take. */
  void askedAt(long now) {
    dueAt = now + answerTimeout.toNanos();
  }

  /** Whether a stream takes it is being asked: nothing is sent before that is known. */
  void lookUpBegins() {
    lookUps++;
  }

  /** That is known, or cannot be: it is sent when its time comes. */
  void lookUpEnds() {
    lookUps--;
  }

  void learned(DuplicateMemory learned) {
    memory = Optional.of(learned);
    dueAt -= answerTimeout.toNanos();
  }

  Next next(long now, boolean connected, double jitter) {
    if (sentAt.isPresent() && now - sentAt.getAsLong() >= answerTimeout.toNanos()) {
      unanswered(now, "no answer from the NATS server", jitter);
    }
    if (sentAt.isPresent()) {
      return Next.WAIT;
    }
    // However short the time for retries is, the first attempt is none.
    boolean over = now - deadline >= 0 && (tried || !connected);
    if (over || isWindowOver(now)) {
      return Next.GIVE_UP;
    }
    if (!connected || lookUps > 0 || now - dueAt < 0) {
      return Next.WAIT;
    }
    return unansweredSince.isPresent() && memory.isEmpty() ? Next.LEARN : Next.SEND;
  }

  private boolean isWindowOver(long now) {
    return unansweredSince.isPresent()
        && memory.isPresent()
        && now - unansweredSince.getAsLong() >= memory.get().window().toNanos() / 4 * 3;
  }

  private void again(long now, String why, double jitter) {
    trouble = why;
    dueAt = now + BACKOFF.delay(Math.max(1, count), jitter).toNanos();
  }
}
