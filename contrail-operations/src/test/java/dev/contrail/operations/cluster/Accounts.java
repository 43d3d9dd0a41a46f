package dev.contrail.operations.cluster;

import dev.contrail.operations.cluster.JournalLine.What;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What workers did with every message, put together from their journals. Thread-safe. */
final class Accounts {
  private final Map<Place, Story> stories = new TreeMap<>();
  private long completions;

  /** Where a message is stored. */
  record Place(String stream, long sequence) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int streams = stream.compareTo(other.stream);
      return streams != 0 ? streams : Long.compare(sequence, other.sequence);
    }

    @Override
    public String toString() {
      return stream + " " + sequence;
    }
  }

  /** A line of a journal, and whose. */
  record Said(String process, JournalLine line) {}

  /** What happened to one message, by when it was said. */
  private static final class Story {
    final List<Said> said = new ArrayList<>();
    Optional<Task> task = Optional.empty();
    int replays;
    boolean done;
    long recordedNanos = Long.MAX_VALUE;
  }

  /**
   * What there was in all.
   *
   * @param messages how many were run
   * @param runsMore runs of a message beyond its first that came to an end
   * @param beforeRecord those of them that began before the completion was recorded
   * @param cameAgain how often a message came that was recorded as completed
   * @param asFirst how many of those as if for the first time
   */
  record Figures(long messages, long runsMore, long beforeRecord, long cameAgain, long asFirst) {}

  synchronized void add(String process, JournalLine line) {
    Story story =
        stories.computeIfAbsent(new Place(line.stream(), line.sequence()), any -> new Story());
    story.said.add(new Said(process, line));
    if (line.what() == What.RUN) {
      String[] words = line.detail().split(" ", 2);
      story.replays = Integer.parseInt(words[0]);
      story.task = Optional.of(Task.parse(words[1]));
    } else if (line.what() == What.DONE) {
      story.done = true;
    } else if (line.what() == What.RECORDED) {
      completions += story.recordedNanos == Long.MAX_VALUE ? 1 : 0;
      story.recordedNanos = Math.min(story.recordedNanos, line.nanos());
    }
  }

  /** How many messages are recorded as completed. */
  synchronized long completions() {
    return completions;
  }

  /** Whether a handler returned for the message stored there. */
  synchronized boolean isDone(Place place) {
    Story story = stories.get(place);
    return story != null && story.done;
  }

  /** All that was said of the message stored there. */
  synchronized List<Said> of(Place place) {
    Story story = stories.get(place);
    return story == null ? List.of() : List.copyOf(story.said);
  }

  /** Where a task was run, but for copies that a replay published. */
  synchronized Map<Task, List<Place>> originals() {
    Map<Task, List<Place>> places = new TreeMap<>(Comparator.comparing(Task::number));
    stories.forEach(
        (place, story) -> {
          if (story.replays == 0) {
            story.task.ifPresent(
                task -> places.computeIfAbsent(task, any -> new ArrayList<>()).add(place));
          }
        });
    return places;
  }

  /** Where copies of a task were run to their end that a replay published. */
  synchronized Map<Task, List<Place>> copiesDone() {
    Map<Task, List<Place>> places = new TreeMap<>(Comparator.comparing(Task::number));
    stories.forEach(
        (place, story) -> {
          if (story.replays > 0 && story.done) {
            story.task.ifPresent(
                task -> places.computeIfAbsent(task, any -> new ArrayList<>()).add(place));
          }
        });
    return places;
  }

  /**
   * What must not be: a message that passed as open by a question that was put when its completion
   * had been confirmed, and a run for which nobody had asked.
   */
  synchronized List<String> violations() {
    List<String> violations = new ArrayList<>();
    stories.forEach(
        (place, story) -> {
          Map<String, Integer> passed = new TreeMap<>();
          for (Said said : story.said) {
            JournalLine line = said.line();
            if (line.what() == What.OPEN) {
              passed.merge(said.process(), 1, Integer::sum);
              if (line.nanos() > story.recordedNanos) {
                violations.add(
                    place + " passed as open in " + said.process() + " after it was recorded");
              }
            } else if (line.what() == What.RUN
                && passed.merge(said.process(), -1, Integer::sum) < 0) {
              violations.add(place + " was run in " + said.process() + " unasked");
            }
          }
        });
    return violations;
  }

  synchronized Figures figures() {
    long messages = 0;
    long more = 0;
    long before = 0;
    long again = 0;
    long first = 0;
    for (Story story : stories.values()) {
      messages += story.task.isPresent() ? 1 : 0;
      List<JournalLine> beyondFirst = ended(story).stream().skip(1).toList();
      more += beyondFirst.size();
      before += beyondFirst.stream().filter(run -> run.nanos() < story.recordedNanos).count();
      for (Said said : story.said) {
        if (said.line().what() == What.KNOWN) {
          again++;
          first += said.line().detail().equals("1") ? 1 : 0;
        }
      }
    }
    return new Figures(messages, more, before, again, first);
  }

  /** The runs of a message that came to their end, by when they began. */
  private static List<JournalLine> ended(Story story) {
    Map<String, JournalLine> running = new TreeMap<>();
    List<JournalLine> ended = new ArrayList<>();
    for (Said said : story.said) {
      if (said.line().what() == What.RUN) {
        running.put(said.process(), said.line());
      } else if (said.line().what() == What.DONE) {
        Optional.ofNullable(running.remove(said.process())).ifPresent(ended::add);
      }
    }
    ended.sort(Comparator.comparingLong(JournalLine::nanos));
    return ended;
  }
}
