package dev.contrail.cli.ledger;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Progress;
import dev.contrail.operations.ConsumerState;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.redis.RedisCompletions;
import dev.contrail.redis.TtlDistribution;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A ledger in Redis as {@code --json} shows it.
 *
 * @param redis where, without a password
 * @param effectiveAckWaitMillis the longer of AckWait and the longest retry delay: so late a
 *     message may come again while workers run
 * @param aligned whether each completion of a message that may come again is known for that long
 */
record RedisTtls(
    String stream,
    String consumer,
    String incarnation,
    String redis,
    long completions,
    long ackFloor,
    long ackWaitMillis,
    long effectiveAckWaitMillis,
    boolean aligned,
    long unacked,
    long unackedTooShort,
    long endless,
    Optional<Long> shortestMillis,
    Optional<Long> longestMillis,
    List<Band> remaining) {
  private static final long WORTH_A_BAR = 100_000;

  /** So many are known for so long. */
  record Band(long fromMillis, Optional<Long> belowMillis, long completions) {}

  /** Reads them all, which takes a while when Redis holds many keys. */
  static RedisTtls read(
      ConsumerState consumer, String redis, RedisCompletions ledger, Surroundings surroundings) {
    Duration longestDelay = RetryPolicy.DEFAULT.longestDelay();
    Duration effective =
        consumer.ackWait().compareTo(longestDelay) > 0 ? consumer.ackWait() : longestDelay;
    return of(consumer, redis, effective, walk(consumer, effective, ledger, surroundings));
  }

  private static TtlDistribution walk(
      ConsumerState consumer,
      Duration effective,
      RedisCompletions ledger,
      Surroundings surroundings) {
    long total = ledger.keysToPass();
    if (total < WORTH_A_BAR) {
      return ledger.remaining(consumer.ackFloor(), effective, passed -> {});
    }
    try (Progress progress =
        new Progress(
            surroundings.err(), surroundings.terminal(), "reading keys", total, System::nanoTime)) {
      return ledger.remaining(
          consumer.ackFloor(), effective, passed -> progress.done(Math.min(passed, total)));
    }
  }

  private static RedisTtls of(
      ConsumerState consumer, String redis, Duration effective, TtlDistribution found) {
    return new RedisTtls(
        consumer.scope().stream(),
        consumer.scope().consumer(),
        consumer.scope().incarnation(),
        redis,
        found.completions(),
        consumer.ackFloor(),
        consumer.ackWait().toMillis(),
        effective.toMillis(),
        found.unackedTooShort() == 0,
        found.unacked(),
        found.unackedTooShort(),
        found.endless(),
        found.shortest().map(Duration::toMillis),
        found.longest().map(Duration::toMillis),
        found.bands().stream()
            .map(
                band ->
                    new Band(
                        band.from().toMillis(),
                        band.below().map(Duration::toMillis),
                        band.completions()))
            .toList());
  }
}
