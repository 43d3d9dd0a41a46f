package dev.contrail.operations.audit;

import dev.contrail.ledger.SequenceSet;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What became of every message of a stream, for each consumer.
 *
 * @param incarnation which stream of that name
 * @param at when it was looked at
 * @param from the first sequence that was looked at
 * @param to the last, which was the stream's last when the audit began; less than {@code from} when
 *     there are none
 * @param why the audit begins there
 * @param notes what else is to be known, a sentence each
 * @param complete whether all that is on record could be read; the notes tell what could not
 */
public record AuditReport(
    String stream,
    String incarnation,
    Instant at,
    long from,
    long to,
    String why,
    List<OfConsumer> consumers,
    List<String> notes,
    boolean complete) {
  /**
   * The same for one consumer.
   *
   * @param ledger whether it keeps a ledger in JetStream
   * @param fates all of them, in order; together they are the whole range, and no sequence is in
   *     two
   * @param gaps what nothing accounts for, in order
   */
  public record OfConsumer(
      String consumer, boolean ledger, Map<Fate, SequenceSet> fates, List<Gap> gaps) {
    public long count(Fate fate) {
      return fates.getOrDefault(fate, new SequenceSet()).count();
    }
  }

  /** How many sequences were looked at for each consumer. */
  public long messages() {
    return Math.max(0, to - from + 1);
  }

  /** How many of that fate, for all consumers together. */
  public long count(Fate fate) {
    return consumers.stream().mapToLong(it -> it.count(fate)).sum();
  }
}
