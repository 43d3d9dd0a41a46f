package dev.contrail.console.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.Durations;
import dev.contrail.console.access.Actor;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.operations.index.Group;
import dev.contrail.operations.view.Age;
import dev.contrail.operations.view.ByteCount;
import dev.contrail.operations.view.PlainText;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What is around every page, and how things are written on it.
 *
 * @param title of the page
 * @param area which part of the console it belongs to
 * @param actor empty where nobody is logged in
 * @param canLogOut whether somebody logged in
 * @param path with the query, as the link to this page
 * @param trouble what keeps the console from being up to date, empty where nothing does
 */
public record Frame(
    String title,
    String area,
    Optional<Actor> actor,
    boolean canLogOut,
    String version,
    String server,
    String path,
    String trouble,
    Instant now) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final int HUNDRED = 100;

  /** A part of the console, as the navigation names it. */
  public record Area(String name, String path, String title) {}

  private static final List<Area> AREAS =
      List.of(
          new Area("overview", "/", "Overview"),
          new Area("dead-letters", "/groups", "Dead letters"),
          new Area("replays", "/replays", "Replays"),
          new Area("workers", "/workers", "Workers"),
          new Area("streams", "/streams", "Streams"),
          new Area("orphans", "/orphans", "Orphans"),
          new Area("doctor", "/doctor", "Doctor"),
          new Area("audit", "/audit", "Audit"),
          new Area("drills", "/drills", "Drills"));

  public List<Area> areas() {
    return AREAS;
  }

  /** The page of a dead letter; names of streams may hold what means something in a link. */
  public String letter(Object id) {
    return "/dead-letters/" + encoded(String.valueOf(id));
  }

  /** What finds a group again, as the query of a link. */
  public String group(Group group) {
    DeadLetterSummary example = group.example().summary();
    return example.fingerprint().isEmpty()
        ? "reason=" + example.reason().text() + "&exception=" + encoded(example.exceptionClass())
        : "group=" + encoded(example.fingerprint());
  }

  public String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** For what may change with the version of the program only. */
  public String asset(String name) {
    return "/assets/" + version + "/" + name;
  }

  public boolean mayAct() {
    return actor.filter(Actor::isOperator).isPresent();
  }

  public String csrf() {
    return actor.map(Actor::csrf).orElse("");
  }

  /** How long ago, in the largest unit. */
  public String age(Instant then) {
    return Age.of(then, now);
  }

  public String age(Optional<Instant> then) {
    return then.map(this::age).orElse("–");
  }

  public String time(Instant time) {
    return TIME.format(time);
  }

  public String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A number of things, as people say it. */
  public String count(long number, String thing) {
    return number(number) + " " + thing + (number == 1 ? "" : "s");
  }

  public String decimal(double number) {
    return String.format(Locale.ROOT, number < 10 ? "%.1f" : "%,.0f", number);
  }

  public String bytes(long bytes) {
    return ByteCount.of(bytes);
  }

  public String duration(Duration duration) {
    return Durations.format(
        duration.compareTo(Duration.ofMinutes(1)) > 0
            ? duration.truncatedTo(ChronoUnit.SECONDS)
            : duration);
  }

  public String percent(double share) {
    return Math.round(share * HUNDRED) + "%";
  }

  /** Text from outside on one line, without characters that hide or turn others. */
  public String line(String text) {
    return PlainText.of(text);
  }

  /** The same, cut. */
  public String line(String text, int most) {
    String plain = PlainText.of(text.length() > most * 4 ? text.substring(0, most * 4) : text);
    return plain.codePointCount(0, plain.length()) <= most
        ? plain
        : plain.substring(0, plain.offsetByCodePoints(0, most)) + "…";
  }

  public String words(Iterable<?> things) {
    StringBuilder words = new StringBuilder();
    things.forEach(it -> words.append(words.isEmpty() ? "" : ", ").append(it));
    return words.toString();
  }

  /** A small picture of how many there were when: points of a line of 100 by 20. */
  public String spark(List<Integer> counts) {
    int most = Math.max(1, counts.stream().mapToInt(Integer::intValue).max().orElse(1));
    int last = Math.max(1, counts.size() - 1);
    return IntStream.range(0, counts.size())
        .mapToObj(
            i ->
                String.format(
                    Locale.ROOT, "%.1f,%.1f", 100.0 * i / last, 19 - 18.0 * counts.get(i) / most))
        .collect(Collectors.joining(" "));
  }
}
