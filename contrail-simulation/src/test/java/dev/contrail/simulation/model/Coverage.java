package dev.contrail.simulation.model;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Counts what scripts came across on a real server. */
final class Coverage {
  /** Every kind of step. */
  static final List<String> KINDS =
      List.of(
          "CreateStream",
          "DeleteStream",
          "StreamInfo",
          "CountSubjects",
          "Purge all",
          "Purge all before",
          "Purge all keep",
          "Purge subject",
          "Purge subject before",
          "Purge subject keep",
          "ReadAdvisories",
          "Publish",
          "GetMessage",
          "GetLast",
          "GetNext",
          "DeleteMessage",
          "CreateConsumer",
          "DeleteConsumer",
          "ConsumerInfo",
          "Pull",
          "Advance",
          "+ACK",
          "-NAK",
          "-NAK delay",
          "+WPI",
          "+TERM",
          "+TERM because",
          "made up +ACK",
          "made up +WPI",
          "made up +TERM");

  /** What must be seen at least once in so many scripts. */
  private static final Map<String, Integer> WANTED =
      Map.ofEntries(
          Map.entry("stored A#\\d+ true", 40),
          Map.entry("no responders", 10),
          Map.entry("refused 10071", 10),
          Map.entry("refused 10077", 20),
          Map.entry("refused 10099", 60),
          Map.entry("refused 10100", 60),
          Map.entry("count=1 ", 4),
          Map.entry("count=2 ", 10),
          Map.entry("count=3 ", 60),
          Map.entry("max_deliver ", 50),
          Map.entry("terminated ", 10),
          Map.entry("NO_RESPONDERS", 60),
          Map.entry("purged [1-9]", 60),
          Map.entry("deleted", 10),
          Map.entry("@[1-9]", 4));

  private final Map<String, Integer> seen = new TreeMap<>();

  void add(List<String> answers) {
    String all = String.join("\n", answers);
    WANTED.keySet().stream()
        .filter(wanted -> Pattern.compile(wanted).matcher(all).find())
        .forEach(wanted -> seen.merge(wanted, 1, Integer::sum));
  }

  /** What was seen in fewer of that many scripts than it should, and in how many. */
  Map<String, Integer> missing(int scripts) {
    Map<String, Integer> missing = new TreeMap<>();
    WANTED.forEach(
        (wanted, oneIn) -> {
          int times = seen.getOrDefault(wanted, 0);
          if (times < scripts / oneIn) {
            missing.put(wanted, times);
          }
        });
    return missing;
  }
}
