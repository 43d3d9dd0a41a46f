package dev.contrail.bench;

import dev.contrail.ledger.LedgerFactory;
import java.util.Optional;

/**
 * With which Redis is compared.
 *
 * @param url its address; without one, the contenders that need it are left out
 * @param ledger opens completion ledgers in it; without one, that contender is left out
 */
public record RedisTarget(Optional<String> url, Optional<LedgerFactory> ledger) {
  public static RedisTarget none() {
    return new RedisTarget(Optional.empty(), Optional.empty());
  }
}
