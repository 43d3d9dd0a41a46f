package dev.contrail.conformance;

import dev.contrail.ledger.LedgerScope;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What a ledger in memory is stored in. */
final class MemoryServer {
  final Flaw flaw;
  private final Map<String, Set<TestMessage>> ledgers = new HashMap<>();
  private boolean up = true;

  MemoryServer(Flaw flaw) {
    this.flaw = flaw;
  }

  synchronized void end() {
    up = false;
    if (flaw == Flaw.FORGETS_WHEN_ITS_SERVER_RESTARTS) {
      ledgers.clear();
    }
  }

  synchronized void start() {
    up = true;
  }

  synchronized boolean isUp() {
    return up;
  }

  synchronized void store(LedgerScope scope, Set<TestMessage> messages) {
    if (!up) {
      throw new IllegalStateException("the server is away");
    }
    ledgers.computeIfAbsent(name(scope), unknown -> new HashSet<>()).addAll(messages);
  }

  synchronized Set<TestMessage> read(LedgerScope scope) {
    if (!up) {
      throw new IllegalStateException("the server is away");
    }
    return Set.copyOf(ledgers.getOrDefault(name(scope), Set.of()));
  }

  private String name(LedgerScope scope) {
    if (flaw == Flaw.MIXES_INCARNATIONS_UP) {
      return scope.stream() + "/" + scope.consumer();
    }
    String between = flaw == Flaw.MIXES_UP_NAMES_WITH_COLONS ? ":" : "/";
    return String.join(between, scope.stream(), scope.consumer(), scope.incarnation());
  }
}
