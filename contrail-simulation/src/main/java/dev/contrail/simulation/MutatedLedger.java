package dev.contrail.simulation;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Wrong versions of the ledger. */
final class MutatedLedger {
  private MutatedLedger() {}

  /** As a key for each message that expires. */
  static final class ShortTtl implements Mutation {
    private final World world;
    private final Map<Long, Long> recorded = new HashMap<>();

    ShortTtl(World world) {
      this.world = world;
    }

    @Override
    public CompletionLedger ledger(CompletionLedger right) {
      return new PassingLedger(right) {
        @Override
        public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
          return ledger.completed(messages).thenApply(completed -> forget(messages, completed));
        }
      };
    }

    private BitSet forget(List<? extends LedgerEntry> messages, BitSet completed) {
      long now = world.time().now();
      long ttl = world.scenario().ackWait().toNanos() / 2;
      for (int i = 0; i < messages.size(); i++) {
        long sequence = messages.get(i).sequence();
        if (completed.get(i) && now - recorded.computeIfAbsent(sequence, any -> now) > ttl) {
          completed.clear(i);
        }
      }
      return completed;
    }
  }

  record BlindAck(World world) implements Mutation {
    @Override
    public CompletionLedger ledger(CompletionLedger right) {
      return new PassingLedger(right) {
        @Override
        public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
          return ledger
              .completed(messages)
              .exceptionally(
                  failure -> {
                    BitSet all = new BitSet();
                    all.set(0, messages.size());
                    return all;
                  });
        }
      };
    }
  }

  record BlindRecord(World world) implements Mutation {
    @Override
    public CompletionLedger ledger(CompletionLedger right) {
      return new PassingLedger(right) {
        @Override
        public CompletionStage<Void> record(List<? extends LedgerEntry> messages) {
          return ledger.record(messages).handle((done, failure) -> null);
        }
      };
    }
  }

  record LocalLookUps(World world) implements Mutation {
    @Override
    public CompletionLedger ledger(CompletionLedger right) {
      Set<Long> own = new HashSet<>();
      return new PassingLedger(right) {
        @Override
        public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
          BitSet known = new BitSet();
          for (int i = 0; i < messages.size(); i++) {
            known.set(i, own.contains(messages.get(i).sequence()));
          }
          return CompletableFuture.completedFuture(known);
        }

        @Override
        public CompletionStage<Void> record(List<? extends LedgerEntry> messages) {
          return ledger
              .record(messages)
              .thenApply(
                  done -> {
                    messages.forEach(message -> own.add(message.sequence()));
                    return null;
                  });
        }
      };
    }
  }

  record CachedLookUps(World world) implements Mutation {
    @Override
    public CompletionLedger ledger(CompletionLedger right) {
      Set<Long> open = new HashSet<>();
      return new PassingLedger(right) {
        @Override
        public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
          return ledger
              .completed(messages)
              .thenApply(
                  completed -> {
                    for (int i = 0; i < messages.size(); i++) {
                      if (open.contains(messages.get(i).sequence())) {
                        completed.clear(i);
                      } else if (!completed.get(i)) {
                        open.add(messages.get(i).sequence());
                      }
                    }
                    return completed;
                  });
        }
      };
    }
  }
}
