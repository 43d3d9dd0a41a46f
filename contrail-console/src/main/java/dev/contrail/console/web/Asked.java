package dev.contrail.console.web;

import dev.contrail.console.desk.Choice;
import dev.contrail.console.desk.Overview;
import dev.contrail.console.desk.Refusal;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.report.PauseScope;
import dev.contrail.operations.index.PageRequest;
import dev.contrail.operations.index.SortOrder;
import dev.contrail.operations.view.EntryQuery;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.Rate;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what a request asks for. What cannot be read is refused with one sentence. */
public final class Asked {
  private static final int LONGEST_NAME = 255;
  private static final int MOST_IDS = 1_000;
  private static final int MOST_CANARY = 1_000_000;
  private static final int MOST_REPLAYS = 1_000;
  private static final Pattern SUBJECT = Pattern.compile("[^\\s.*>]+(\\.[^\\s.*>]+)*");

  private Asked() {}

  /** The dead letter that the path names. */
  public static DeadLetterId id(Context context) {
    return id(context.pathParam("id"));
  }

  public static DeadLetterId id(String text) {
    try {
      return DeadLetterId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new Refusal(Refusal.Kind.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  /** Which dead letters the query of the address means. */
  public static EntryQuery query(Context context) {
    return query(context::queryParams);
  }

  public static EntryQuery query(Function<String, List<String>> parameters) {
    try {
      EntryQuery query = EntryQuery.of(parameters);
      query.filter(Instant.now());
      return query;
    } catch (IllegalArgumentException e) {
      throw new Refusal(Refusal.Kind.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Which dead letters are meant: ids, or a query. All of them only where that is said.
   *
   * @throws Refusal when it is not clear which
   */
  public static Choice choice(Function<String, List<String>> parameters) {
    List<DeadLetterId> ids =
        parameters.apply("id").stream()
            .filter(text -> !text.isBlank())
            .map(Asked::id)
            .distinct()
            .toList();
    if (ids.size() > MOST_IDS) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST,
          "That is " + ids.size() + " ids; accepted are up to " + MOST_IDS + ".");
    }
    EntryQuery query = query(parameters);
    boolean all = parameters.apply("all").contains("true");
    if (ids.isEmpty() && query.isEmpty() && !all) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST,
          "Which dead letters? Accepted are id, the filters "
              + String.join(", ", EntryQuery.NAMES)
              + ", or all=true.");
    }
    if (!ids.isEmpty() && (!query.isEmpty() || all)) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST, "An id names one dead letter; filters do not. Take one.");
    }
    return new Choice(ids, query);
  }

  /** Which part of a list. */
  public static PageRequest page(Context context, int usual, int most) {
    int limit = number(context.queryParam("limit"), "limit", usual, 1, most);
    String sort = Optional.ofNullable(context.queryParam("sort")).orElse("");
    SortOrder order =
        sort.isEmpty()
            ? SortOrder.NEWEST
            : SortOrder.parse(sort)
                .orElseThrow(
                    () ->
                        new Refusal(
                            Refusal.Kind.BAD_REQUEST,
                            "'"
                                + sort
                                + "' is no order; accepted are "
                                + Arrays.stream(SortOrder.values())
                                    .map(SortOrder::text)
                                    .collect(Collectors.joining(", "))
                                + "."));
    try {
      return new PageRequest(
          order,
          limit,
          Optional.ofNullable(context.queryParam("after")).filter(text -> !text.isEmpty()));
    } catch (IllegalArgumentException e) {
      throw new Refusal(Refusal.Kind.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  /** How to replay, by the names of the options of {@code contrail dlq replay}. */
  public static PlanOptions how(Function<String, List<String>> parameters) {
    Function<String, Optional<String>> one =
        name ->
            parameters.apply(name).stream()
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .findFirst();
    Optional<Rate> rate =
        one.apply("rate")
            .map(
                text ->
                    Rate.parse(text)
                        .orElseThrow(
                            () ->
                                new Refusal(
                                    Refusal.Kind.BAD_REQUEST,
                                    "'"
                                        + text
                                        + "' is no rate; accepted are such as 100/s, 30/m and"
                                        + " 5/h.")));
    Optional<String> to = one.apply("to");
    if (to.filter(text -> !SUBJECT.matcher(text).matches() || text.startsWith("$")).isPresent()) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST,
          "'" + to.get() + "' is no subject to publish to; accepted are such as orders.new.");
    }
    return new PlanOptions(
        to,
        rate,
        number(one.apply("canary").orElse(null), "canary", 0, 0, MOST_CANARY),
        !one.apply("stop-on-return").orElse("true").equals("false"),
        number(
            one.apply("max-replays").orElse(null),
            "max-replays",
            PlanOptions.DEFAULT.maxReplays(),
            1,
            MOST_REPLAYS));
  }

  /** How far back a plot goes. */
  public static Overview.Range range(Context context) {
    String text = Optional.ofNullable(context.queryParam("range")).orElse("24h");
    return Arrays.stream(Overview.Range.values())
        .filter(it -> it.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new Refusal(
                    Refusal.Kind.BAD_REQUEST,
                    "'range': '" + text + "' is not accepted; accepted are 1h, 24h and 7d."));
  }

  /** A number within bounds. */
  public static int number(@Nullable String text, String name, int usual, int least, int most) {
    if (text == null || text.isBlank()) {
      return usual;
    }
    try {
      int number = Integer.parseInt(text.strip());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, with what is accepted.
    }
    throw new Refusal(
        Refusal.Kind.BAD_REQUEST,
        "'"
            + name
            + "': '"
            + text
            + "' is not accepted; it is a number from "
            + least
            + " to "
            + most
            + ".");
  }

  /**
   * Whom a pause is for, by the fields stream, consumer and worker. One that is there and empty is
   * refused: whoever sends it means less than the whole stream.
   *
   * @throws Refusal when a name is missing or cannot be one
   */
  public static PauseScope pauseScope(Function<String, @Nullable String> fields) {
    Function<String, Optional<String>> one =
        name -> {
          Optional<String> text = Optional.ofNullable(fields.apply(name));
          if (text.filter(String::isEmpty).isPresent()) {
            throw new Refusal(
                Refusal.Kind.BAD_REQUEST, "'" + name + "' is empty; leave it out for none.");
          }
          return text;
        };
    String stream =
        one.apply("stream")
            .orElseThrow(
                () ->
                    new Refusal(
                        Refusal.Kind.BAD_REQUEST,
                        "Whose workers? Accepted are stream, consumer and worker."));
    Optional<String> worker = one.apply("worker");
    if (worker.isPresent() && one.apply("consumer").isEmpty()) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST, "A worker is named together with its consumer alone.");
    }
    if (worker.filter(text -> text.length() > LONGEST_NAME).isPresent()) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST,
          "The name of a worker has up to " + LONGEST_NAME + " characters.");
    }
    return new PauseScope(name(stream), one.apply("consumer").map(Asked::name), worker);
  }

  /** The name of a stream. */
  public static String name(String text) {
    if (text.isEmpty()
        || text.length() > LONGEST_NAME
        || text.chars().anyMatch(c -> c <= ' ' || c == 0x7F || ".*>/\\".indexOf(c) >= 0)) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST,
          "'" + text + "' cannot be a name; accepted is anything without spaces and . * > / \\.");
    }
    return text;
  }
}
