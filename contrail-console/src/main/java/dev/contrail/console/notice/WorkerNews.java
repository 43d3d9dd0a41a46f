package dev.contrail.console.notice;

import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.operations.workers.Look;
import dev.contrail.operations.workers.WorkerSeen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds breakers that opened and holds that last, from what workers tell look by look. All workers
 * of a consumer are one matter: when their dependency is away, all of them stop. A matter is told
 * once, and again when it was over. What was so before the first look is told too. For one thread.
 */
public final class WorkerNews {
  static final Duration LONG = Duration.ofMinutes(1);
  // Workers tell every few seconds, and one that is late has not mended anything.
  private static final Duration OVER = Duration.ofSeconds(30);

  private record Place(String stream, String consumer) {}

  /** Something that is so, since when, and when it was seen last. */
  private static final class Matter {
    private final Map<String, Instant> since = new HashMap<>();
    private Instant last;
    private boolean told;

    private Matter(Instant at) {
      this.last = at;
    }
  }

  private final Map<Place, Matter> open = new HashMap<>();
  private final Map<Place, Matter> holding = new HashMap<>();

  /** What is to be told after this look. The same once more is no news, however late it is. */
  public List<Notice> look(Look look) {
    return look(look.roll().workers().stream().map(WorkerSeen::report).toList(), look.at());
  }

  List<Notice> look(List<WorkerReport> workers, Instant now) {
    Map<Place, List<WorkerReport>> places = new TreeMap<>(WorkerNews::compare);
    workers.forEach(
        it ->
            places
                .computeIfAbsent(
                    new Place(it.who().stream(), it.who().consumer()), any -> new ArrayList<>())
                .add(it));
    List<Notice> news = new ArrayList<>();
    places.forEach(
        (place, all) -> {
          breakers(place, all, now, news);
          holds(place, all, now, news);
        });
    forget(open, now);
    forget(holding, now);
    return news;
  }

  private static int compare(Place one, Place other) {
    int streams = one.stream().compareTo(other.stream());
    return streams != 0 ? streams : one.consumer().compareTo(other.consumer());
  }

  private static boolean isOpen(WorkerReport worker) {
    return worker.breaker().isPresent();
  }

  private void breakers(Place place, List<WorkerReport> workers, Instant now, List<Notice> news) {
    List<WorkerReport> affected = workers.stream().filter(WorkerNews::isOpen).toList();
    if (affected.isEmpty()) {
      return;
    }
    Matter matter = open.computeIfAbsent(place, any -> new Matter(now));
    matter.last = now;
    if (!matter.told) {
      matter.told = true;
      news.add(
          notice(
              NoticeKind.BREAKER_OPEN,
              place,
              affected,
              now,
              "The circuit breaker of "
                  + workersOf(place, affected, workers)
                  + " is open: nothing succeeds any more, and messages are held until something"
                  + " does."));
    }
  }

  /** While a breaker is open, what it holds is no news of its own. */
  private void holds(Place place, List<WorkerReport> workers, Instant now, List<Notice> news) {
    List<WorkerReport> affected =
        workers.stream().filter(it -> it.load().held() > 0 && !isOpen(it)).toList();
    Matter matter = holding.get(place);
    if (matter != null) {
      Set<String> instances = new HashSet<>();
      affected.forEach(it -> instances.add(it.who().instance()));
      matter.since.keySet().retainAll(instances);
    }
    if (affected.isEmpty()) {
      return;
    }
    Matter held = holding.computeIfAbsent(place, any -> new Matter(now));
    held.last = now;
    affected.forEach(it -> held.since.putIfAbsent(it.who().instance(), now));
    List<WorkerReport> lasting =
        affected.stream()
            .filter(
                it -> held.since.getOrDefault(it.who().instance(), now).plus(LONG).isBefore(now))
            .toList();
    if (!held.told && !lasting.isEmpty()) {
      held.told = true;
      news.add(
          notice(
              NoticeKind.HELD,
              place,
              lasting,
              now,
              workersOf(place, lasting, workers)
                  + " held "
                  + lasting.stream().mapToLong(it -> it.load().held()).sum()
                  + " messages for more than a minute: completions or dead letters cannot be"
                  + " stored."));
    }
  }

  private static String workersOf(
      Place place, List<WorkerReport> affected, List<WorkerReport> all) {
    return affected.size()
        + " of "
        + all.size()
        + (all.size() == 1 ? " worker of " : " workers of ")
        + Notice.name(place.stream())
        + " > "
        + Notice.name(place.consumer());
  }

  private static Notice notice(
      NoticeKind kind, Place place, List<WorkerReport> affected, Instant now, String text) {
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("stream", place.stream());
    about.put("consumer", place.consumer());
    about.put("worker", Notice.name(affected.get(0).who().name()));
    about.put("workers", affected.size());
    about.put("held", affected.stream().mapToLong(it -> it.load().held()).sum());
    return new Notice(kind, now, text, about, "/workers");
  }

  private static void forget(Map<Place, Matter> matters, Instant now) {
    matters.values().removeIf(matter -> matter.last.plus(OVER).isBefore(now));
  }
}
