package dev.contrail.operations.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.Durations;
import dev.contrail.event.Status;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.index.EntryFilter;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which dead letters are meant, by the names that the options of {@code contrail dlq ls} have: what
 * a link or a form says. Immutable.
 */
public final class EntryQuery {
  /** What can be asked for. */
  public static final List<String> NAMES =
      List.of(
          "stream",
          "consumer",
          "subject",
          "reason",
          "exception",
          "group",
          "text",
          "app-version",
          "state",
          "since",
          "from",
          "to");

  /** All dead letters. */
  public static final EntryQuery ALL = new EntryQuery(Map.of());

  private static final int LONGEST = 1_000;
  private static final int MOST = 100;

  private final Map<String, List<String>> values;

  private EntryQuery(Map<String, List<String>> values) {
    this.values = values;
  }

  /**
   * What the parameters say; blank ones say nothing.
   *
   * @throws IllegalArgumentException with one sentence, when one is too long
   */
  public static EntryQuery of(Function<String, List<String>> parameters) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String name : NAMES) {
      List<String> given =
          parameters.apply(name).stream()
              .flatMap(value -> split(name, value))
              .map(String::strip)
              .filter(value -> !value.isEmpty())
              .distinct()
              .toList();
      if (given.size() > MOST || given.stream().anyMatch(value -> value.length() > LONGEST)) {
        throw new IllegalArgumentException(
            "'" + name + "' asks for too much: accepted are " + LONGEST + " characters.");
      }
      if (!given.isEmpty()) {
        values.put(name, given);
      }
    }
    return new EntryQuery(values);
  }

  private static Stream<String> split(String name, String value) {
    return name.equals("state") || name.equals("group")
        ? Arrays.stream(value.split(","))
        : Stream.of(value);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** What is asked for under that name, empty where nothing is. */
  public String value(String name) {
    return String.join(",", values.getOrDefault(name, List.of()));
  }

  public boolean has(String name, String value) {
    return values.getOrDefault(name, List.of()).contains(value);
  }

  /** The same with another value under that name; with an empty one without it. */
  public EntryQuery with(String name, String value) {
    Map<String, List<String>> changed = new LinkedHashMap<>(values);
    if (value.isEmpty()) {
      changed.remove(name);
    } else {
      changed.put(name, List.of(value));
    }
    return new EntryQuery(changed);
  }

  /**
   * The filter.
   *
   * @throws IllegalArgumentException with one sentence for whoever typed it, when it has no sense
   */
  public EntryFilter filter(Instant now) {
    EntryFilter.Builder filter = EntryFilter.builder();
    one("stream").ifPresent(filter::stream);
    one("consumer").ifPresent(filter::consumer);
    one("subject").ifPresent(filter::subject);
    one("reason").map(EntryQuery::reason).ifPresent(filter::reason);
    one("exception").ifPresent(filter::exceptionClass);
    one("text").ifPresent(filter::text);
    one("app-version").ifPresent(filter::appVersion);
    values.getOrDefault("group", List.of()).forEach(filter::fingerprint);
    values.getOrDefault("state", List.of()).forEach(state -> filter.state(state(state)));
    Optional<Instant> since = one("since").map(text -> now.minus(duration(text)));
    if (since.isPresent() && one("from").isPresent()) {
      throw new IllegalArgumentException(
          "'since' and 'from' both say where to begin; take one of them.");
    }
    since.or(() -> one("from").map(text -> time("from", text))).ifPresent(filter::from);
    one("to").map(text -> time("to", text)).ifPresent(filter::to);
    return filter.build();
  }

  private Optional<String> one(String name) {
    return values.getOrDefault(name, List.of()).stream().findFirst();
  }

  private static Reason reason(String text) {
    return Reason.parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + text
                        + "' is no reason that messages die for; accepted are "
                        + Arrays.stream(Reason.values())
                            .map(Reason::text)
                            .collect(Collectors.joining(", "))
                        + "."));
  }

  private static Status state(String text) {
    return Status.parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + text
                        + "' is no state; accepted are "
                        + Arrays.stream(Status.values())
                            .map(Status::text)
                            .collect(Collectors.joining(", "))
                        + "."));
  }

  private static Duration duration(String text) {
    return Durations.parse("since", text);
  }

  private static Instant time(String name, String text) {
    return TimeText.parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + name + "': '" + text + "' is no time; " + TimeText.ACCEPTED + "."));
  }

  /** Such as {@code all with the fingerprint 3f9a, stream ORDERS}; for a plan. */
  public String inWords() {
    if (values.isEmpty()) {
      return "all";
    }
    List<String> parts = new ArrayList<>();
    values.forEach((name, given) -> parts.add(name + " " + String.join(" or ", given)));
    return "all with " + String.join(", ", parts);
  }

  /** As the query of a link, without a question mark. */
  public String link() {
    List<String> parts = new ArrayList<>();
    values.forEach((name, given) -> parts.add(name + "=" + encoded(String.join(",", given))));
    return String.join("&", parts);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /** What is asked for, by name. */
  public Map<String, String> values() {
    Map<String, String> all = new LinkedHashMap<>();
    values.keySet().forEach(name -> all.put(name, value(name)));
    return all;
  }
}
