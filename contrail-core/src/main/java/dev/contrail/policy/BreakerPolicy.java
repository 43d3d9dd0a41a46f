package dev.contrail.policy;

import java.time.Duration;

/**
 * When a run of failures is taken for an outage of what the handler depends on.
 *
 * @param openAfter opens when nothing succeeded for this long, 30 s …
 * @param distinctFailures … while at least so many different messages failed; 3
 * @param probeEvery while open, one message is tried this often; 1 s
 */
public record BreakerPolicy(Duration openAfter, int distinctFailures, Duration probeEvery) {
  public static final BreakerPolicy DEFAULT =
      new BreakerPolicy(Duration.ofSeconds(30), 3, Duration.ofSeconds(1));

  public BreakerPolicy {
    Check.between("breaker open-after", openAfter, Duration.ofMillis(1), Duration.ofDays(365));
    Check.atLeast("breaker distinct failures", distinctFailures, 1);
    Check.between("breaker probe interval", probeEvery, Duration.ofMillis(1));
  }
}
