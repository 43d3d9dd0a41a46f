package dev.contrail.engine;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Watches what a worker sends and runs, whatever the test is about, and knows the rules that hold
 * always. It keeps books of its own, so that it does not believe what the worker believes.
 */
final class Referee {
  private final Map<String, Long> leaseUntilNanos = new HashMap<>();
  private final Set<String> settled = new HashSet<>();
  private final Set<String> letGo = new HashSet<>();
  private final Map<Long, Outcome> lastOutcome = new HashMap<>();
  private final Set<Long> withEvidence = new HashSet<>();
  private final Map<Long, InFlight<String>> running = new HashMap<>();
  private long ackWaitNanos;

  private boolean ledger;
  private final Set<String> done = new HashSet<>();
  private final Set<Long> completed = new HashSet<>();
  private final IdentityHashMap<InFlight<String>, String> lookedUpAs = new IdentityHashMap<>();
  private final Set<String> cleared = new HashSet<>();

  void ledger(boolean kept) {
    ledger = kept;
  }

  void ackWait(long nanos) {
    ackWaitNanos = nanos;
  }

  void delivered(String delivery, long arrivedNanos) {
    // It may have been under way for a quarter of AckWait.
    leaseUntilNanos.put(delivery, arrivedNanos + ackWaitNanos * 3 / 4);
  }

  void extended(List<String> deliveries, long sentNanos) {
    long until = sentNanos + ackWaitNanos;
    for (String delivery : deliveries) {
      leaseUntilNanos.merge(delivery, until, (old, newer) -> newer - old > 0 ? newer : old);
    }
  }

  void ended(InFlight<String> message, Outcome outcome) {
    running.remove(message.sequence(), message);
    lastOutcome.put(message.sequence(), outcome);
    if (outcome instanceof Outcome.Done) {
      done.add(message.message());
    }
  }

  void recalled(InFlight<String> message) {
    running.remove(message.sequence(), message);
  }

  void evidenceStored(long sequence) {
    withEvidence.add(sequence);
  }

  /** The ledger is asked about deliveries that have arrived by now, and about no later ones. */
  void looksUp(List<InFlight<String>> batch) {
    batch.forEach(message -> lookedUpAs.put(message, message.message()));
  }

  void lookedUp(List<InFlight<String>> batch, BitSet found) {
    for (int i = 0; i < batch.size(); i++) {
      InFlight<String> message = batch.get(i);
      if (found.get(i)) {
        completed.add(message.sequence());
      } else {
        cleared.add(lookedUpAs.get(message));
      }
    }
  }

  void recorded(List<InFlight<String>> batch) {
    batch.forEach(message -> completed.add(message.sequence()));
  }

  void leaseLost(InFlight<String> message) {
    letGo.add(message.message());
  }

  /** From now on a sequence stands for another message. */
  void streamReplaced() {
    lastOutcome.clear();
    withEvidence.clear();
    running.clear();
    completed.clear();
  }

  void runs(InFlight<String> message) {
    InFlight<String> other = running.put(message.sequence(), message);
    require(other == null, "runs " + message + " beside " + other);
    require(
        !isAsked(message) || cleared.contains(message.message()),
        "runs " + message + " without having asked the ledger after it came");
  }

  private boolean isAsked(InFlight<String> message) {
    return ledger || message.isReplayed();
  }

  void extends_(InFlight<String> message, long nowNanos) {
    requireLease("extends", message, nowNanos);
  }

  void acks(InFlight<String> message, long nowNanos) {
    settles("acks", message, nowNanos);
    if (isAsked(message)) {
      boolean known = completed.contains(message.sequence());
      require(known, "acks " + message + " before its completion is recorded");
    } else {
      Outcome last = lastOutcome.get(message.sequence());
      require(last instanceof Outcome.Done, "acks " + message + " whose last outcome was " + last);
    }
  }

  void naks(InFlight<String> message, long nowNanos) {
    settles("naks", message, nowNanos);
    require(!done.contains(message.message()), "naks " + message + ", which is done");
  }

  void terminates(InFlight<String> message, long nowNanos) {
    settles("terminates", message, nowNanos);
    require(!done.contains(message.message()), "terminates " + message + ", which is done");
    require(
        withEvidence.contains(message.sequence()), "terminates " + message + " without evidence");
  }

  private void settles(String verb, InFlight<String> message, long nowNanos) {
    requireLease(verb, message, nowNanos);
    require(settled.add(message.message()), verb + " " + message + ", which was settled before");
  }

  private void requireLease(String verb, InFlight<String> message, long nowNanos) {
    String delivery = message.message();
    require(!settled.contains(delivery), verb + " " + message + ", which was settled before");
    require(!letGo.contains(delivery), verb + " " + message + " after it was let go");
    Long until = leaseUntilNanos.get(delivery);
    require(
        until != null && nowNanos - until <= 0, verb + " " + message + " after its lease was lost");
  }

  private static void require(boolean holds, String foul) {
    if (!holds) {
      throw new AssertionError("foul: the worker " + foul);
    }
  }
}
