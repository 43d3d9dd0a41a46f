package dev.contrail.operations.guard;

import dev.contrail.operations.stranded.Advisory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * From when on what the server said is its last word. A server that crashes, or somebody who resets
 * a consumer, sets that back without a trace: what it had given up on is given again. So only what
 * was said a moment ago, over a connection that lasts since, goes without a doubt.
 */
final class Freshness {
  private static final Duration MOMENT = Duration.ofSeconds(10);

  private final LongSupplier reconnects;
  private final Clock clock;
  private long connection;
  private Instant connected;

  /**
   * Begins now.
   *
   * @param reconnects how often the connection was made again
   */
  Freshness(LongSupplier reconnects, Clock clock) {
    this.reconnects = reconnects;
    this.clock = clock;
    this.connection = reconnects.getAsLong();
    this.connected = clock.instant();
  }

  /** What was said before may be true no more. */
  synchronized Instant from() {
    long now = reconnects.getAsLong();
    if (now != connection) {
      connection = now;
      connected = clock.instant();
    }
    Instant lately = clock.instant().minus(MOMENT);
    Instant since = connected.plus(Advisory.CLOCKS_DIFFER);
    return since.isAfter(lately) ? since : lately;
  }
}
