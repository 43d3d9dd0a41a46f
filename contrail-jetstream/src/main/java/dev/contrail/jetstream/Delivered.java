package dev.contrail.jetstream;

import dev.contrail.Headers;
import dev.contrail.engine.Now;
import dev.contrail.engine.Worker;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.OriginalMessage;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A delivery, and the signal that it arrived. */
abstract class Delivered implements Signal {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final long sequence;
  private final long deliveries;
  private final long publishedNanos;
  private final long arrivedNanos;
  private @Nullable DeadLetterId deadLetter;

  /**
   * @param ack what its reply subject says
   * @param arrivedNanos when it arrived, on the monotonic clock
   */
  Delivered(AckSubject ack, long arrivedNanos) {
    this.sequence = ack.sequence();
    this.deliveries = ack.deliveries();
    this.publishedNanos = ack.publishedNanos();
    this.arrivedNanos = arrivedNanos;
  }

  abstract String subject();

  /** Where to acknowledge it. */
  abstract String replyTo();

  /** Adds a word about it, its acknowledgement or the like; false when the bundle is full. */
  abstract boolean addTo(AckBundle bundle, byte[] word);

  abstract Headers headers();

  /** Whether it has such a header, of whatever value. Asked for every message. */
  abstract boolean hasHeader(String name);

  /** The payload, never null. */
  abstract byte[] data();

  /** What it weighs, as the server counts. */
  abstract long bytes();

  /** All of it that its dead letter keeps. */
  abstract OriginalMessage original();

  final Instant publishedAt() {
    return Instant.ofEpochSecond(
        publishedNanos / NANOS_PER_SECOND, publishedNanos % NANOS_PER_SECOND);
  }

  /** Whether it was delivered before. */
  final boolean isRedelivery() {
    return deliveries > 1;
  }

  /** When it arrived, on the monotonic clock. */
  final long arrivedNanos() {
    return arrivedNanos;
  }

  /** Under which id its dead letter is stored, once it is. */
  final Optional<DeadLetterId> deadLetter() {
    return Optional.ofNullable(deadLetter);
  }

  final void deadLetter(DeadLetterId id) {
    deadLetter = id;
  }

  @Override
  public final void apply(Worker<Delivered> worker, Now now) {
    worker.delivered(
        this, sequence, deliveries, publishedNanos / NANOS_PER_MILLI, bytes(), arrivedNanos, now);
  }
}
