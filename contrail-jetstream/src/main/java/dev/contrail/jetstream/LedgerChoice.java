package dev.contrail.jetstream;

import dev.contrail.ledger.LedgerFactory;
import dev.contrail.ledger.log.LedgerTimes;
import io.nats.client.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Where completions are recorded.
 *
 * @param given what opens a ledger that is not Contrail's own
 */
record LedgerChoice(Kind kind, Optional<LedgerFactory> given) {
  /** How far back an audit can tell what became of a message. */
  private static final Duration AUDIT_HORIZON = Duration.ofDays(30);

  enum Kind {
    JETSTREAM,
    GIVEN,
    BY_HANDLER,
    NONE
  }

  static LedgerChoice of(Kind kind) {
    return new LedgerChoice(kind, Optional.empty());
  }

  static LedgerChoice of(LedgerFactory factory) {
    return new LedgerChoice(Kind.GIVEN, Optional.of(factory));
  }

  /** What opens it; empty when Contrail keeps none. */
  Optional<LedgerFactory> factory(
      Connection connection,
      JetStreamApi api,
      Names names,
      LedgerTimes times,
      Consumer<String> alerts) {
    return kind == Kind.JETSTREAM
        ? Optional.of(
            scope ->
                new JetStreamLedger(connection, api, names, scope, times, AUDIT_HORIZON, alerts))
        : given.map(factory -> scope -> factory.open(scope, alerts));
  }

  /** The stores of Contrail's own that a worker with it needs. */
  Set<Store> stores() {
    return kind == Kind.JETSTREAM
        ? Set.of(Store.DEAD_LETTERS, Store.RETRIES, Store.LEDGER)
        : Set.of(Store.DEAD_LETTERS, Store.RETRIES);
  }
}
