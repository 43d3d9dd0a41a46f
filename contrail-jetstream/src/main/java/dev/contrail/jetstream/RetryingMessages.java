package dev.contrail.jetstream;

import dev.contrail.failure.FailureKind;
import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.jetstream.report.WorkerReport.Retrying;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which messages of a worker are to be tried again, by what they fail of. Bounded. Used on one
 * thread.
 */
final class RetryingMessages {
  private static final int MOST = 20_000;

  /** After this another worker may have it, or have finished it: it is told no more from here. */
  private static final long OVERDUE = Duration.ofSeconds(30).toNanos();

  private record Entry(FailureKind kind, long deliveries, long dueNanos) {}

  /** The kinds of failures with the messages of each. */
  record Told(List<Retrying> retrying, long more) {}

  private final Map<Long, Entry> entries = new LinkedHashMap<>();
  private long unnoted;

  void add(List<WorkerTroubles.Failed> failures) {
    for (WorkerTroubles.Failed failed : failures) {
      // Again at the end: where there is no room, the longest unheard of goes.
      entries.remove(failed.sequence());
      entries.put(
          failed.sequence(),
          new Entry(FailureKind.of(failed.cause()), failed.deliveries(), failed.dueNanos()));
    }
    var eldest = entries.keySet().iterator();
    while (entries.size() > MOST) {
      eldest.next();
      eldest.remove();
    }
  }

  /**
   * So many more failed at about the same time. These are failures, and a message may fail again
   * and again: what comes of several such times is not added up, or it would tell of messages that
   * never were.
   */
  void addUnnoted(long failures) {
    unnoted = Math.max(unnoted, failures);
  }

  /** Those in question, in an order that {@link #keep} refers to. */
  Question question(long nowNanos) {
    long[] sequences = new long[entries.size()];
    BitSet overdue = new BitSet();
    int place = 0;
    for (Map.Entry<Long, Entry> entry : entries.entrySet()) {
      sequences[place] = entry.getKey();
      overdue.set(place, nowNanos - entry.getValue().dueNanos() > OVERDUE);
      place++;
    }
    return new Question(sequences, overdue);
  }

  /** Forgets those of the question that are not among the places. */
  void keep(Question question, BitSet places) {
    for (int i = 0; i < question.sequences.length; i++) {
      if (!places.get(i)) {
        entries.remove(question.sequences[i]);
      }
    }
  }

  /** What is known, and of those that were not noted how many failed since this was told last. */
  Told tell() {
    Told told = told();
    long missed = unnoted;
    unnoted = 0;
    return new Told(told.retrying(), told.more() + missed);
  }

  Told told() {
    Map<String, Retrying> kinds = new HashMap<>();
    entries
        .values()
        .forEach(
            entry ->
                kinds.merge(
                    entry.kind().fingerprint(),
                    new Retrying(
                        entry.kind().fingerprint(), entry.kind().what(), 1, entry.deliveries()),
                    RetryingMessages::sum));
    List<Retrying> sorted = new ArrayList<>(kinds.values());
    sorted.sort(
        Comparator.comparingLong(Retrying::messages)
            .reversed()
            .thenComparing(Retrying::fingerprint));
    int shown = Math.min(sorted.size(), WorkerReport.MOST_RETRYING);
    return new Told(
        sorted.subList(0, shown),
        sorted.subList(shown, sorted.size()).stream().mapToLong(Retrying::messages).sum());
  }

  private static Retrying sum(Retrying one, Retrying other) {
    return new Retrying(
        one.fingerprint(),
        one.what(),
        one.messages() + other.messages(),
        Math.max(one.mostDeliveries(), other.mostDeliveries()));
  }

  /** What the worker is asked: are these still to be tried again? */
  static final class Question {
    private final long[] sequences;
    private final BitSet overdue;

    private Question(long[] sequences, BitSet overdue) {
      this.sequences = sequences;
      this.overdue = overdue;
    }

    /** On the worker's thread. */
    BitSet answer(dev.contrail.engine.Worker<Delivered> worker) {
      BitSet still = new BitSet(sequences.length);
      for (int i = 0; i < sequences.length; i++) {
        still.set(
            i, worker.isReturned(sequences[i]) && (!overdue.get(i) || worker.holds(sequences[i])));
      }
      return still;
    }
  }
}
