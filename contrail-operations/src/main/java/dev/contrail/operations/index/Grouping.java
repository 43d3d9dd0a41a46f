package dev.contrail.operations.index;

import dev.contrail.event.EntryState;
import dev.contrail.event.Status;
import dev.contrail.evidence.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Puts dead letters that look like the same bug together. */
final class Grouping {
  private static final class Members {
    private final List<CompactEntry> entries = new ArrayList<>();
    private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    private final Set<String> streams = new HashSet<>();
    private final Set<String> consumers = new HashSet<>();
    private final Set<String> appVersions = new HashSet<>();
    private final CompactEntry first;
    private CompactEntry last;
    private Instant firstSeen;
    private EntryState lastState;
    private long open;

    private Members(CompactEntry entry, EntryState state) {
      this.first = entry;
      this.last = entry;
      this.lastState = state;
      this.firstSeen = entry.deadAt();
    }

    private void add(CompactEntry entry, EntryState state) {
      entries.add(entry);
      open += state.status() == Status.OPEN ? 1 : 0;
      if (!entry.deadAt().isBefore(last.deadAt())) {
        last = entry;
        lastState = state;
      }
      if (entry.deadAt().isBefore(firstSeen)) {
        firstSeen = entry.deadAt();
      }
      // Most are as the first was, of which all is known.
      boolean same =
          entry != first
              && entry.reason() == first.reason()
              && entry.id().stream().equals(first.id().stream())
              && entry.id().consumer().equals(first.id().consumer())
              && entry.appVersion().equals(first.appVersion());
      if (!same) {
        reasons.add(entry.reason());
        streams.add(entry.id().stream());
        consumers.add(entry.id().consumer());
        if (!entry.appVersion().isEmpty()) {
          appVersions.add(entry.appVersion());
        }
      }
    }
  }

  private final Map<String, Members> groups = new HashMap<>();

  /** What tells a group from others. */
  static String key(CompactEntry entry) {
    return entry.fingerprint().isEmpty()
        ? entry.reason().text() + " " + entry.exceptionClass()
        : entry.fingerprint();
  }

  void add(CompactEntry entry, EntryState state) {
    groups.computeIfAbsent(key(entry), any -> new Members(entry, state)).add(entry, state);
  }

  /**
   * The groups.
   *
   * @param from where trends begin; empty for the first death of all
   * @param now where they end
   * @param stretches in how many pieces that time is cut
   */
  Groups groups(Optional<Instant> from, Instant now, int stretches) {
    Instant begin =
        from.orElseGet(
            () ->
                groups.values().stream()
                    .map(members -> members.firstSeen)
                    .min(Comparator.naturalOrder())
                    .orElse(now));
    long stretch = Math.max(1, (millis(begin, now) + stretches - 1) / stretches);
    List<Group> all = new ArrayList<>();
    groups.forEach((key, members) -> all.add(group(key, members, begin, stretch, stretches)));
    all.sort(
        Comparator.comparingLong(Group::count)
            .reversed()
            .thenComparing(Group::lastSeen, Comparator.reverseOrder())
            .thenComparing(Group::fingerprint));
    return new Groups(all, begin, Duration.ofMillis(stretch));
  }

  private static Group group(
      String key, Members members, Instant begin, long stretch, int stretches) {
    int[] trend = new int[stretches];
    for (CompactEntry entry : members.entries) {
      long at = millis(begin, entry.deadAt()) / stretch;
      trend[(int) Math.max(0, Math.min(stretches - 1, at))]++;
    }
    List<Integer> counts = new ArrayList<>(stretches);
    for (int count : trend) {
      counts.add(count);
    }
    return new Group(
        key,
        members.entries.size(),
        members.open,
        members.firstSeen,
        members.last.deadAt(),
        List.copyOf(counts),
        sorted(members.reasons),
        sorted(members.streams),
        sorted(members.consumers),
        sorted(members.appVersions),
        members.last.with(members.lastState));
  }

  private static <T> SortedSet<T> sorted(Set<T> things) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(things));
  }

  private static long millis(Instant from, Instant to) {
    return Math.max(0, to.toEpochMilli() - from.toEpochMilli());
  }
}
