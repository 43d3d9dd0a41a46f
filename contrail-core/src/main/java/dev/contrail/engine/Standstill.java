package dev.contrail.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * After a standstill of the process (a frozen container, a long collection) deliveries that were
 * under way may be older than their lease, and nothing on them tells. So all that were sent before
 * an echo comes back are passed over; the server delivers them again. An echo that never comes, say
 * for want of a permission, is not waited for longer than anything can be under way.
 */
final class Standstill<M> {
  private static final long PATIENCE = Duration.ofSeconds(2).toNanos();
  private static final long LONGEST_UNDER_WAY = Duration.ofSeconds(30).toNanos();

  private final Port<M> port;
  private Optional<Now> lastTick = Optional.empty();
  private boolean doubtful;
  private long firstEcho;
  private long lastEcho;
  private long sinceNanos;
  private long sentNanos;

  Standstill(Port<M> port) {
    this.port = port;
  }

  /** Whether what arrives may be older than it looks. */
  boolean makesDoubtful() {
    return doubtful;
  }

  void tick(long ackWaitNanos, Now now) {
    long gap = lastTick.map(last -> now.nanos() - last.nanos()).orElse(0L);
    lastTick = Optional.of(now);
    if (gap > ackWaitNanos / 2) {
      port.report(new WorkerEvent.StoodStill<>(Duration.ofNanos(gap)));
      doubtful = true;
      firstEcho = lastEcho + 1;
      sinceNanos = now.nanos();
      sendEcho(now);
    } else if (doubtful && now.nanos() - sinceNanos > LONGEST_UNDER_WAY) {
      doubtful = false;
    } else if (doubtful && now.nanos() - sentNanos > PATIENCE) {
      sendEcho(now);
    }
  }

  /** Any echo that was sent after the standstill will do, however late it is. */
  void echoed(long token) {
    if (token >= firstEcho) {
      doubtful = false;
    }
  }

  private void sendEcho(Now now) {
    sentNanos = now.nanos();
    port.echo(++lastEcho);
  }
}
