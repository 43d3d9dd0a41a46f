package dev.contrail.operations.doctor;

import java.time.Duration;
import java.util.Optional;

/** Asks a ledger that forgets by time whether it keeps completions for long enough. */
@FunctionalInterface
public interface LedgerCheck {
  /** Why it cannot serve a consumer with that effective AckWait; empty when it can. */
  Optional<String> objection(Duration effectiveAckWait);

  /** Of ledgers that do not forget by time. */
  static LedgerCheck none() {
    return wait -> Optional.empty();
  }
}
