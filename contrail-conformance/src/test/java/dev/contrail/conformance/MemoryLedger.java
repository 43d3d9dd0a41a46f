package dev.contrail.conformance;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerScope;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A ledger that is right, except for the flaw of its server. */
final class MemoryLedger implements CompletionLedger {
  private static final Duration LONG = Duration.ofMillis(1_500);
  private static final int LATE = 3;

  private final MemoryServer server;
  private final LedgerScope scope;
  private final BooleanSupplier killed;
  private final Set<TestMessage> unstored = new HashSet<>();
  private Set<TestMessage> seen = Set.of();
  private int reads;
  private volatile boolean closed;

  MemoryLedger(MemoryServer server, LedgerScope scope, BooleanSupplier killed) {
    this.server = server;
    this.scope = scope;
    this.killed = killed;
  }

  @Override
  public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
    return answer(
        () -> {
          Set<TestMessage> known = known();
          BitSet completed = new BitSet();
          for (int i = 0; i < messages.size(); i++) {
            TestMessage message = copy(messages.get(i));
            if (known.contains(message) || hasSequence(known, message)) {
              completed.set(i);
            }
          }
          return completed;
        });
  }

  private boolean hasSequence(Set<TestMessage> known, TestMessage message) {
    return server.flaw == Flaw.LOOKS_AT_THE_SEQUENCE_ALONE
        && known.stream().anyMatch(other -> other.sequence() == message.sequence());
  }

  private synchronized Set<TestMessage> known() {
    if (server.flaw == Flaw.TAKES_NO_ANSWER_FOR_NOT_COMPLETED && !server.isUp()) {
      return Set.of();
    }
    boolean late =
        (server.flaw == Flaw.SEES_OTHERS_LATE && reads % LATE != 0)
            || (server.flaw == Flaw.KNOWS_ONLY_WHAT_WAS_THERE_WHEN_IT_OPENED && reads > 0);
    reads++;
    if (!late) {
      seen = server.read(scope);
    }
    Set<TestMessage> known = new HashSet<>(seen);
    known.addAll(unstored);
    return known;
  }

  @Override
  public CompletionStage<Void> record(List<? extends LedgerEntry> messages) {
    return answer(
        () -> {
          store(messages);
          return null;
        });
  }

  private synchronized void store(List<? extends LedgerEntry> messages) {
    Set<TestMessage> stored = new HashSet<>();
    for (LedgerEntry message : messages) {
      boolean isNew = stored.add(copy(message));
      if (!isNew && server.flaw == Flaw.COUNTS_RECORDS_TWICE) {
        throw new IllegalStateException("recorded before");
      }
    }
    if (stored.size() > 4_096 && server.flaw == Flaw.TAKES_NO_MORE_THAN_4096) {
      throw new IllegalArgumentException("too many");
    }
    if (server.flaw == Flaw.CONFIRMS_BEFORE_IT_STORES && unstored.size() < 50) {
      unstored.addAll(stored);
      return;
    }
    stored.addAll(unstored);
    server.store(scope, stored);
    unstored.clear();
    HashSet<TestMessage> own = new HashSet<>(seen);
    own.addAll(stored);
    seen = own;
  }

  private TestMessage copy(LedgerEntry entry) {
    long sequence =
        server.flaw == Flaw.CUTS_SEQUENCES_TO_32_BITS ? (int) entry.sequence() : entry.sequence();
    return sequence == entry.sequence()
        ? new TestMessage(sequence, entry.publishedMillis())
        : TestMessage.of(sequence);
  }

  private <T> CompletionStage<T> answer(Supplier<T> work) {
    boolean outage = !server.isUp();
    if ((outage && server.flaw == Flaw.SAYS_NOTHING_IN_AN_OUTAGE)
        || (closed && server.flaw == Flaw.LEAVES_CALLS_UNANSWERED_WHEN_CLOSED)) {
      return new CompletableFuture<>();
    }
    if (outage && server.flaw == Flaw.KEEPS_ITS_CALLER_WAITING) {
      LockSupport.parkNanos(LONG.toNanos());
    }
    if (closed || killed.getAsBoolean()) {
      return CompletableFuture.failedFuture(new IllegalStateException("closed"));
    }
    try {
      return CompletableFuture.completedFuture(work.get());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
