package dev.contrail.console.pages;

import dev.contrail.ledger.SequenceSet;
import dev.contrail.ledger.SequenceSet.Range;
import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.Fate;
import dev.contrail.operations.audit.Gap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of a stream as a bar, for one consumer.
 *
 * @param pieces from left to right on 1,000 units; what is short is shown all the same
 */
public record AuditBar(String consumer, List<Piece> pieces, List<Share> shares, List<Gap> gaps) {
  /** How wide the whole is. */
  public static final int WIDTH = 1_000;

  /** Sequences of one fate, as far as they can be told apart. */
  public record Piece(String fate, long from, long to, double x, double width) {}

  /** How many of a fate. */
  public record Share(String fate, long messages, double share) {}

  static List<AuditBar> of(AuditReport report) {
    return report.consumers().stream().map(it -> of(report, it)).toList();
  }

  private static AuditBar of(AuditReport report, AuditReport.OfConsumer consumer) {
    return new AuditBar(
        consumer.consumer(),
        pieces(report, consumer),
        Arrays.stream(Fate.values())
            .filter(fate -> consumer.count(fate) > 0)
            .map(
                fate ->
                    new Share(
                        fate.text(),
                        consumer.count(fate),
                        (double) consumer.count(fate) / Math.max(1, report.messages())))
            .toList(),
        consumer.gaps());
  }

  /**
   * One unit of the bar stands for many sequences: the worst fate among them colours it, so that a
   * single message that is unaccounted for is seen.
   */
  private static List<Piece> pieces(AuditReport report, AuditReport.OfConsumer consumer) {
    long messages = report.messages();
    int units = (int) Math.min(WIDTH, Math.max(1, messages));
    @Nullable Fate[] worst = new Fate[units];
    for (Fate fate : Fate.values()) {
      for (Range range : consumer.fates().getOrDefault(fate, new SequenceSet()).ranges()) {
        int first = unit(range.from() - report.from(), messages, units);
        int last = unit(range.to() - report.from(), messages, units);
        for (int i = first; i <= last; i++) {
          worst[i] = worse(worst[i], fate);
        }
      }
    }
    List<Piece> pieces = new ArrayList<>();
    double unitWidth = (double) WIDTH / units;
    int begin = 0;
    for (int i = 1; i <= units; i++) {
      if (i == units || worst[i] != worst[begin]) {
        Fate fate = worst[begin] == null ? Fate.UNACCOUNTED : worst[begin];
        pieces.add(
            new Piece(
                fate.text(),
                report.from() + begin * messages / units,
                report.from() + i * messages / units - 1,
                begin * unitWidth,
                (i - begin) * unitWidth));
        begin = i;
      }
    }
    return pieces;
  }

  private static int unit(long offset, long messages, int units) {
    return (int) Math.max(0, Math.min(units - 1, offset * units / Math.max(1, messages)));
  }

  private static Fate worse(@Nullable Fate known, Fate other) {
    return known == null || weight(other) > weight(known) ? other : known;
  }

  private static int weight(Fate fate) {
    return switch (fate) {
      case UNACCOUNTED -> 6;
      case ORPHANED -> 5;
      case DEAD -> 4;
      case RETURNED, REPLAYED -> 3;
      case IN_FLIGHT, WAITING -> 2;
      case DISCARDED -> 1;
      default -> 0;
    };
  }
}
