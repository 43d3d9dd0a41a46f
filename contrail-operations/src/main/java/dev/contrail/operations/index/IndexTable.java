package dev.contrail.operations.index;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * The entries of the index in the order in which they are stored, and the states of those that have
 * events, which may be known before or after the entry itself. Thread-safe.
 */
final class IndexTable {
  private static final int FEWEST_TO_TIDY = 1_000;
  private static final int MOST_SHARED = 1_000;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private List<CompactEntry> entries = new ArrayList<>();
  private final Map<DeadLetterId, CompactEntry> byId = new HashMap<>();
  private final Map<DeadLetterId, EntryState> states = new HashMap<>();
  private final Map<EntryState, EntryState> sharedStates = new HashMap<>();
  private final Map<String, Set<DeadLetterId>> replayingByPlan = new HashMap<>();
  private final Map<DeadLetterId, String> planOfReplaying = new HashMap<>();
  private final Set<String> knownGroups = new HashSet<>();
  private final List<CompactEntry> firstOfGroups = new ArrayList<>();
  private int replaced;
  private long changes;

  /** Takes one in, whose position is beyond that of any before. */
  void add(CompactEntry entry) {
    writing(
        () -> {
          entries.add(entry);
          if (knownGroups.add(Grouping.key(entry))) {
            firstOfGroups.add(entry);
          }
          if (byId.put(entry.id(), entry) != null) {
            replaced++;
            tidy();
          }
        });
  }

  /** Takes an event in; they come in the order in which they are stored. */
  void add(Event event) {
    writing(
        () -> {
          CompactEntry entry = byId.get(event.address().entry());
          DeadLetterId id = entry == null ? event.address().entry() : entry.id();
          EntryState after = states.getOrDefault(id, EntryState.NEW).after(event);
          states.put(id, shared(after));
          if (event.fact() instanceof Step.Replay replay) {
            planOfReplaying.put(id, replay.plan());
            replayingByPlan.computeIfAbsent(replay.plan(), any -> new HashSet<>()).add(id);
          }
          forgetSettled(id, after);
        });
  }

  /** What is known of copies that plans published. */
  void published(Map<DeadLetterId, Integer> steps) {
    writing(
        () ->
            steps.forEach(
                (id, step) -> {
                  EntryState known = states.get(id);
                  if (known != null) {
                    states.put(id, shared(known.published(step)));
                    forgetSettled(id, known.published(step));
                  }
                }));
  }

  /** One of equal states: most dead letters have a history like many others. */
  private EntryState shared(EntryState state) {
    if (state.returnedAs().isPresent() || sharedStates.size() >= MOST_SHARED) {
      return state;
    }
    EntryState known = sharedStates.putIfAbsent(state, state);
    return known == null ? state : known;
  }

  private void forgetSettled(DeadLetterId id, EntryState state) {
    if (state.status() != Status.REPLAYING) {
      String plan = planOfReplaying.remove(id);
      if (plan != null) {
        replayingByPlan.computeIfPresent(
            plan,
            (name, ids) -> {
              ids.remove(id);
              return ids.isEmpty() ? null : ids;
            });
      }
    }
  }

  /** Whether a copy by that plan is not known to be published. */
  boolean isReplaying(String plan) {
    return reading(() -> replayingByPlan.containsKey(plan));
  }

  /** Lets go of entries that are no longer in their stream. */
  void drop(LongPredicate gone) {
    writing(
        () -> {
          List<CompactEntry> kept = new ArrayList<>(entries.size());
          for (CompactEntry entry : entries) {
            if (!gone.test(entry.position())) {
              kept.add(entry);
            } else if (byId.get(entry.id()) == entry) {
              byId.remove(entry.id());
            }
          }
          entries = kept;
          tidy();
        });
  }

  /** Forgets all entries. */
  void clearEntries() {
    drop(position -> true);
  }

  /** Forgets all states. */
  void clearStates() {
    writing(
        () -> {
          states.clear();
          planOfReplaying.clear();
          replayingByPlan.clear();
        });
  }

  private void tidy() {
    if (replaced >= FEWEST_TO_TIDY && replaced * 4 >= entries.size()) {
      entries.removeIf(entry -> byId.get(entry.id()) != entry);
      replaced = 0;
    }
  }

  /** Grows with everything that changes. */
  long changes() {
    return reading(() -> changes);
  }

  Optional<IndexEntry> find(DeadLetterId id) {
    return reading(() -> Optional.ofNullable(byId.get(id)).map(entry -> entry.with(state(entry))));
  }

  long count(EntryFilter filter) {
    long[] count = {0};
    forEach(filter, (entry, state) -> count[0]++);
    return count[0];
  }

  Page page(EntryFilter filter, PageRequest request, Collection<String> unreadable) {
    return reading(
        () -> {
          Paging paging =
              new Paging(
                  request, entries.isEmpty() ? 0 : entries.get(entries.size() - 1).position());
          forEach(filter, request.order().isNewestFirst(), (entry, state) -> paging.add(entry));
          return new Page(
              paging.entries().stream().map(entry -> entry.with(state(entry))).toList(),
              OptionalLong.of(paging.matching()),
              paging.next(),
              List.copyOf(unreadable));
        });
  }

  /** The first entry of each group in the order of their coming, without so many of them. */
  List<IndexEntry> groupsBegun(int without) {
    return reading(
        () -> firstOfGroups.stream().skip(without).map(entry -> entry.with(state(entry))).toList());
  }

  Groups groups(EntryFilter filter, Instant now, int stretches) {
    Grouping grouping = new Grouping();
    forEach(filter, grouping::add);
    return grouping.groups(filter.from(), now, stretches);
  }

  DeathCounts deaths(EntryFilter filter, Instant from, Instant to, int stretches) {
    long stretch = Math.max(1, (to.toEpochMilli() - from.toEpochMilli()) / stretches);
    Map<Reason, int[]> counts = new EnumMap<>(Reason.class);
    forEach(
        filter,
        (entry, state) -> {
          long at = entry.deadAt().toEpochMilli() - from.toEpochMilli();
          if (at >= 0 && at < stretch * stretches) {
            counts
                .computeIfAbsent(entry.reason(), any -> new int[stretches])[(int) (at / stretch)]++;
          }
        });
    Map<Reason, List<Integer>> shown = new EnumMap<>(Reason.class);
    counts.forEach((reason, each) -> shown.put(reason, Arrays.stream(each).boxed().toList()));
    return new DeathCounts(from, Duration.ofMillis(stretch), shown);
  }

  Neighbours neighbours(EntryFilter filter, DeadLetterId id) {
    CompactEntry[] around = new CompactEntry[2];
    long[] counts = {0, 0};
    boolean[] met = {false};
    forEach(
        filter,
        (entry, state) -> {
          counts[0]++;
          if (entry.id().equals(id)) {
            met[0] = true;
            counts[1] = counts[0];
          } else if (!met[0]) {
            around[0] = entry;
          } else if (around[1] == null) {
            around[1] = entry;
          }
        });
    return new Neighbours(
        met[0] ? Optional.ofNullable(around[1]).map(CompactEntry::id) : Optional.empty(),
        met[0] ? Optional.ofNullable(around[0]).map(CompactEntry::id) : Optional.empty(),
        met[0] ? counts[0] - counts[1] + 1 : 0,
        counts[0]);
  }

  List<OpenTotal> openTotals() {
    EntryFilter open = EntryFilter.builder().state(Status.OPEN).build();
    Map<String, Map<Reason, OpenTotal>> totals = new TreeMap<>();
    forEach(
        open,
        (entry, state) ->
            totals
                .computeIfAbsent(entry.id().stream(), any -> new EnumMap<>(Reason.class))
                .compute(
                    entry.reason(),
                    (reason, total) ->
                        total == null
                            ? new OpenTotal(entry.id().stream(), reason, 1, entry.deadAt())
                            : total.and(entry)));
    return totals.values().stream().flatMap(it -> it.values().stream()).toList();
  }

  List<StateTotal> stateTotals() {
    Map<String, Map<Status, Long>> totals = new TreeMap<>();
    forEach(
        EntryFilter.ALL,
        (entry, state) ->
            totals
                .computeIfAbsent(entry.id().stream(), any -> new EnumMap<>(Status.class))
                .merge(state.status(), 1L, Long::sum));
    List<StateTotal> all = new ArrayList<>();
    totals.forEach(
        (stream, states) ->
            states.forEach((state, count) -> all.add(new StateTotal(stream, state, count))));
    return all;
  }

  private void forEach(EntryFilter filter, BiConsumer<CompactEntry, EntryState> each) {
    forEach(filter, false, each);
  }

  private void forEach(
      EntryFilter filter, boolean newestFirst, BiConsumer<CompactEntry, EntryState> each) {
    reading(
        () -> {
          boolean anyReplaced = replaced > 0;
          int last = entries.size() - 1;
          for (int i = 0; i <= last; i++) {
            CompactEntry entry = entries.get(newestFirst ? last - i : i);
            if (!filter.accepts(entry) || (anyReplaced && byId.get(entry.id()) != entry)) {
              continue;
            }
            EntryState state = state(entry);
            if (filter.accepts(state.status())) {
              each.accept(entry, state);
            }
          }
          return entries;
        });
  }

  private EntryState state(CompactEntry entry) {
    return states.getOrDefault(entry.id(), EntryState.NEW);
  }

  private void writing(Runnable change) {
    lock.writeLock().lock();
    try {
      change.run();
      changes++;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private <T> T reading(Supplier<T> question) {
    lock.readLock().lock();
    try {
      return question.get();
    } finally {
      lock.readLock().unlock();
    }
  }
}
