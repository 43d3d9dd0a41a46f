package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import io.nats.client.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps in mind what was said of a message, and lets delays pass in the time of the test. */
final class SteppedAcks extends AckWriter {
  private final Clock clock;
  private final WaitingRetries retries;
  private boolean mute;
  private @Nullable InFlight<Delivered> acked;
  private @Nullable InFlight<Delivered> unsaid;

  SteppedAcks(Connection connection, Clock clock, WaitingRetries retries) {
    super(connection);
    this.clock = clock;
    this.retries = retries;
  }

  /** From now on nothing is said any more, as by a process that dies before it can. */
  void mute() {
    mute = true;
  }

  /** Takes {@link #mute} back: there was nothing to die over. */
  void speak() {
    mute = false;
  }

  /** Which was acknowledged since this was asked before. */
  Optional<InFlight<Delivered>> takeAcked() {
    Optional<InFlight<Delivered>> taken = Optional.ofNullable(acked);
    acked = null;
    return taken;
  }

  /** Of which something was to be said after {@link #mute}. */
  Optional<InFlight<Delivered>> unsaid() {
    return Optional.ofNullable(unsaid);
  }

  /** Says what was to be said when this time has come. */
  void sendDue() {
    sendUntil(clock.instant());
  }

  /** Says it now, whenever it was to be said. */
  void sendAll() {
    sendUntil(Instant.MAX);
  }

  private void sendUntil(Instant time) {
    retries.takeDue(time).forEach(message -> super.nak(message, Duration.ZERO));
  }

  /** Has the server deliver it again now, as it does when AckWait is over. */
  void expire(InFlight<Delivered> message) {
    super.nak(message, Duration.ZERO);
  }

  @Override
  void ack(InFlight<Delivered> message) {
    if (may(message)) {
      acked = message;
      super.ack(message);
    }
  }

  @Override
  void nak(InFlight<Delivered> message, Duration delay) {
    if (may(message)) {
      retries.add(message, clock.instant().plus(delay));
    }
  }

  @Override
  void term(InFlight<Delivered> message, Optional<String> reason) {
    if (may(message)) {
      super.term(message, reason);
    }
  }

  private boolean may(InFlight<Delivered> message) {
    if (mute) {
      unsaid = message;
    }
    return !mute;
  }
}
