package dev.contrail.console.desk;

import dev.contrail.event.Status;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.operations.guard.GuardStatus;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.index.Group;
import dev.contrail.operations.watch.OrphanTotal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How all of it stands, at a glance.
 *
 * @param groups those with open dead letters, the worst first
 * @param allGroups how many there are
 * @param open dead letters
 * @param diedLately in the last hour, whatever was done about them since
 * @param orphans empty before the first scan
 * @param findings empty before the doctor has looked
 * @param changes of the last hour, the newest first
 * @param range how far back the plot goes
 */
public record Overview(
    List<Group> groups,
    int allGroups,
    long open,
    long diedLately,
    Optional<List<OrphanTotal>> orphans,
    Optional<List<Finding>> findings,
    Optional<GuardStatus> guard,
    WorkerSums workers,
    List<RecentChanges.Change> changes,
    double read,
    Range range) {
  private static final Duration LATELY = Duration.ofHours(1);
  private static final int MOST_GROUPS = 6;
  private static final int STRETCHES = 24;

  public static Overview of(Desk desk) {
    DeadLetterIndex index = desk.letters().index();
    Instant now = desk.clock().instant();
    List<Group> groups =
        index.groups(EntryFilter.builder().state(Status.OPEN).build(), now, STRETCHES).groups();
    return new Overview(
        groups.stream()
            .sorted(
                Comparator.comparingLong(Group::open)
                    .reversed()
                    .thenComparing(Group::lastSeen, Comparator.reverseOrder()))
            .limit(MOST_GROUPS)
            .toList(),
        groups.size(),
        groups.stream().mapToLong(Group::open).sum(),
        index.count(EntryFilter.builder().from(now.minus(LATELY)).build()),
        desk.lookout().orphanTotals(),
        desk.lookout().diagnosis().map(it -> it.findings()),
        desk.lookout().guard(),
        WorkerSums.of(desk.workers()),
        desk.changes().since(LATELY),
        index.readSoFar(),
        range(index, now));
  }

  private static Range range(DeadLetterIndex index, Instant now) {
    EntryFilter older =
        EntryFilter.builder()
            .from(now.minus(Range.DAY.length()))
            .to(now.minus(Range.HOUR.length()))
            .build();
    return index.count(older) > 0 ? Range.DAY : Range.HOUR;
  }

  /** How far back the plot goes: not further than there is anything to see. */
  public enum Range {
    HOUR("1h", "the last hour", Duration.ofHours(1), 60),
    DAY("24h", "the last 24 hours", Duration.ofHours(24), 96),
    WEEK("7d", "the last 7 days", Duration.ofDays(7), 84);

    private final String text;
    private final String words;
    private final Duration length;
    private final int stretches;

    Range(String text, String words, Duration length, int stretches) {
      this.text = text;
      this.words = words;
      this.length = length;
      this.stretches = stretches;
    }

    /** As it is asked for. */
    public String text() {
      return text;
    }

    public String words() {
      return words;
    }

    public Duration length() {
      return length;
    }

    /** In how many pieces it is cut. */
    public int stretches() {
      return stretches;
    }
  }

  public long orphanCount() {
    return orphans.orElse(List.of()).stream().mapToLong(OrphanTotal::count).sum();
  }

  /** How many findings are that bad. */
  public long count(String severity) {
    return findings.orElse(List.of()).stream()
        .filter(it -> it.rule().severity().toString().equals(severity))
        .count();
  }
}
