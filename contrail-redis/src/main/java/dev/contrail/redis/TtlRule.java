package dev.contrail.redis;

import dev.contrail.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * How long a completion is kept. It must outlast whatever lets a completed message come again: the
 * effective AckWait of the consumer, and the longest time for which all its workers are down, since
 * a message comes again only when somebody pulls.
 *
 * @param set what the user chose; without it the TTL is derived
 */
record TtlRule(Optional<Duration> set, Duration longestOutage) {
  static final Duration DEFAULT_LONGEST_OUTAGE = Duration.ofHours(24);

  /** Twice: after an outage as long as declared there is a backlog to get through. */
  private static final int MARGIN = 2;

  private static final Duration LEAST_DERIVED = Duration.ofHours(1);
  private static final Duration LEAST_SET = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(3_650);

  TtlRule {
    set.ifPresent(ttl -> check("the TTL", ttl, LEAST_SET));
    check("the longest outage", longestOutage, Duration.ZERO);
  }

  static TtlRule derived() {
    return new TtlRule(Optional.empty(), DEFAULT_LONGEST_OUTAGE);
  }

  TtlRule withTtl(Duration ttl) {
    return new TtlRule(Optional.of(ttl), longestOutage);
  }

  TtlRule withLongestOutage(Duration outage) {
    return new TtlRule(set, outage);
  }

  /** After its completion a message may come again for as long as this. */
  Duration needed(Duration effectiveAckWait) {
    return longer(effectiveAckWait, longestOutage);
  }

  Duration ttl(Duration effectiveAckWait) {
    Duration derived = longer(needed(effectiveAckWait).multipliedBy(MARGIN), LEAST_DERIVED);
    return set.orElse(derived.compareTo(LONGEST) > 0 ? LONGEST : derived);
  }

  Optional<String> objection(Duration effectiveAckWait) {
    Duration needed = needed(effectiveAckWait);
    Duration ttl = ttl(effectiveAckWait);
    if (ttl.compareTo(needed) >= 0) {
      return Optional.empty();
    }
    return Optional.of(
        "The Redis ledger forgets a completion after "
            + text(ttl)
            + " (its TTL), but a completed message may come again for "
            + text(needed)
            + " (the longest of AckWait and retry delays, "
            + text(effectiveAckWait)
            + ", and the longest outage, "
            + text(longestOutage)
            + ") and would be processed twice; set a TTL of at least "
            + text(needed)
            + " or none, which derives it, or shorten what is longer.");
  }

  private static void check(String setting, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          setting
              + " of the Redis ledger is "
              + text(value)
              + ", but must be between "
              + text(least)
              + " and "
              + text(LONGEST));
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static String text(Duration duration) {
    return Durations.format(duration);
  }
}
