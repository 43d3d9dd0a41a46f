package dev.contrail.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a {@link Worker} wants done. Commands return at once; those that have an answer give it
 * later through the worker's methods, always, on the worker's thread, never from within the
 * command.
 *
 * @param <M> what the runtime knows a delivery by
 */
public interface Port<M> {
  /** Says of a pull that what it brings may have any size. */
  long ANY_SIZE = 0;

  /**
   * Ask the server for up to {@code batch} messages, that have {@code bytes} in all at most or
   * {@link #ANY_SIZE}. Its end is {@link Worker#pullEnded} or {@link Worker#pullTooSmall}, unless
   * it brought all.
   */
  void pull(long pullId, int batch, long bytes);

  /** Have the server forget all pulls under way; what it has sent by then is still delivered. */
  void endPulls();

  /** How many bytes a message has at most, as far as the server tells. */
  long largestMessage();

  /** How long after its publication it lives, if the message says so itself. */
  Optional<Duration> timeToLive(InFlight<M> message);

  /**
   * Whether it claims to be a copy that a replay published. Whether such a message is completed is
   * asked and told in any case, with a ledger or without, and never in one batch with others.
   * Copies are looked up one by one, for each may have to wait until another's outcome is known.
   */
  default boolean isReplayed(InFlight<M> message) {
    return false;
  }

  /** Queue it for the handler's threads. Answered by {@link Worker#ended}. */
  void run(InFlight<M> message);

  /** Take it back from them; false when a thread has begun with it. */
  boolean recall(InFlight<M> message);

  /** When a thread began with it, on the monotonic clock. */
  OptionalLong startedNanos(InFlight<M> message);

  /** Interrupt its handler, and tell what it was doing as an exception with its stack. */
  Throwable interrupt(InFlight<M> message, Duration timeout);

  void ack(InFlight<M> message);

  void nak(InFlight<M> message, Duration delay);

  void term(InFlight<M> message);

  /** Extend the leases. Answered by {@link Worker#leasesExtended} if that reached the server. */
  void extend(List<InFlight<M>> messages, long token);

  /** Have the server send back a sign on the way that deliveries take; {@link Worker#echoed}. */
  void echo(long token);

  /**
   * Which of them are completed? {@link Worker#completionsLookedUp}, {@link Worker#lookUpFailed},
   * with this very list: a message may be looked up once more before the answer is there. {@link
   * Worker#lookUpHeld} before that, as often as there is reason to, where the answer has to wait.
   */
  void lookUpCompletions(List<InFlight<M>> messages);

  /**
   * Record that they are completed. {@link Worker#completionsRecorded}, {@link
   * Worker#recordingFailed}.
   */
  void recordCompletions(List<InFlight<M>> messages);

  /**
   * Is there a dead letter of it? {@link Worker#deadLetterChecked}, {@link Worker#storeFailed},
   * {@link Worker#deadLetterRefused}.
   */
  void checkDeadLetter(InFlight<M> message);

  /** Read its note. {@link Worker#noteRead}, {@link Worker#storeFailed}. */
  void readNote(InFlight<M> message);

  /** Store its note. {@link Worker#noteStored}, {@link Worker#storeFailed}. */
  void writeNote(InFlight<M> message, RunNote note);

  /**
   * Store its dead letter, whole. {@link Worker#buried}, {@link Worker#storeFailed}, {@link
   * Worker#deadLetterRefused}.
   */
  void bury(InFlight<M> message);

  /** For logs, meters and listeners. */
  void report(WorkerEvent<M> event);
}
