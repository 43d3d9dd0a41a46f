package dev.contrail.jetstream;

import dev.contrail.ledger.LedgerFactory;
import io.nats.client.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Where completions are recorded. */
sealed interface LedgerChoice {
  LedgerChoice JETSTREAM = new JetStream();
  LedgerChoice NONE = new None();
  LedgerChoice BY_HANDLER = new ByHandler();

  /** What opens it; empty when Contrail keeps none. */
  Optional<LedgerFactory> factory(
      Connection connection, JetStreamApi api, Names names, Consumer<String> alerts);

  /** The stores of Contrail's own that a worker with it needs. */
  default Set<Store> stores() {
    return Set.of(Store.DEAD_LETTERS, Store.RETRIES);
  }

  record JetStream() implements LedgerChoice {
    /** How far back an audit can tell what became of a message. */
    private static final Duration AUDIT_HORIZON = Duration.ofDays(30);

    @Override
    public Optional<LedgerFactory> factory(
        Connection connection, JetStreamApi api, Names names, Consumer<String> alerts) {
      return Optional.of(
          scope -> new JetStreamLedger(connection, api, names, scope, AUDIT_HORIZON, alerts));
    }

    @Override
    public Set<Store> stores() {
      return Set.of(Store.DEAD_LETTERS, Store.RETRIES, Store.LEDGER);
    }
  }

  record None() implements LedgerChoice {
    @Override
    public Optional<LedgerFactory> factory(
        Connection connection, JetStreamApi api, Names names, Consumer<String> alerts) {
      return Optional.empty();
    }
  }

  record ByHandler() implements LedgerChoice {
    @Override
    public Optional<LedgerFactory> factory(
        Connection connection, JetStreamApi api, Names names, Consumer<String> alerts) {
      return Optional.empty();
    }
  }

  record Other(LedgerFactory chosen) implements LedgerChoice {
    @Override
    public Optional<LedgerFactory> factory(
        Connection connection, JetStreamApi api, Names names, Consumer<String> alerts) {
      return Optional.of(chosen);
    }
  }
}
