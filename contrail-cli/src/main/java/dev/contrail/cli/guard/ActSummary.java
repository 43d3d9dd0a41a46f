package dev.contrail.cli.guard;

import dev.contrail.operations.guard.GuardEvent;
import dev.contrail.operations.stranded.GuardedMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was done since it was last asked for, in a line for each consumer and reason. */
final class ActSummary {
  private final Map<Whose, Acts> all = new LinkedHashMap<>();

  private record Whose(String stream, String consumer) {
    static Whose of(GuardedMessage message) {
      return new Whose(message.stream(), message.consumer());
    }
  }

  /** How many, and the first of them. */
  private static final class Count {
    private long count;
    private long first;

    void add(GuardedMessage message) {
      if (count == 0) {
        first = message.sequence();
      }
      count++;
    }
  }

  private static final class Acts {
    final Map<String, Count> done = new LinkedHashMap<>();
    final Map<String, Count> left = new LinkedHashMap<>();
  }

  /** Whether it is one to be summed up. */
  boolean add(GuardEvent event) {
    if (event instanceof GuardEvent.Buried it) {
      String how = it.copied() ? "" : ", gone before it could be copied";
      done(it.message(), "dead-lettered (" + it.reason().text() + how + ")");
    } else if (event instanceof GuardEvent.WouldBury it) {
      done(it.message(), "would be dead-lettered (" + it.reason().text() + ")");
    } else if (event instanceof GuardEvent.Released it) {
      done(it.message(), "released");
    } else if (event instanceof GuardEvent.WouldRelease it) {
      done(
          it.message(),
          it.allowed()
              ? "would be released"
              : "could be released (--release " + it.message().stream() + " --from-start)");
    } else if (event instanceof GuardEvent.Waiting it) {
      left(it.message(), "to be released later: " + it.why());
    } else if (event instanceof GuardEvent.LeftAlone it) {
      left(it.message(), "left alone: " + it.why());
    } else {
      return false;
    }
    return true;
  }

  private void done(GuardedMessage message, String what) {
    acts(message).done.computeIfAbsent(what, any -> new Count()).add(message);
  }

  private void left(GuardedMessage message, String what) {
    acts(message).left.computeIfAbsent(what, any -> new Count()).add(message);
  }

  private Acts acts(GuardedMessage message) {
    return all.computeIfAbsent(Whose.of(message), any -> new Acts());
  }

  /** The lines, which are then forgotten. */
  List<String> take() {
    List<String> lines = new ArrayList<>();
    all.forEach(
        (whose, acts) -> {
          if (!acts.done.isEmpty()) {
            lines.add(line(whose, acts.done));
          }
          acts.left.forEach((what, count) -> lines.add(line(whose, Map.of(what, count))));
        });
    all.clear();
    return lines;
  }

  private static String line(Whose whose, Map<String, Count> counts) {
    String start = whose.stream() + "/" + whose.consumer();
    long first = counts.values().iterator().next().first;
    boolean one = counts.values().stream().allMatch(it -> it.count == 1 && it.first == first);
    List<String> parts = new ArrayList<>();
    counts.forEach(
        (what, count) -> parts.add(one ? what : GuardLog.number(count.count) + " " + what));
    return (one ? start + " message " + first : start) + ": " + String.join(", ", parts);
  }
}
