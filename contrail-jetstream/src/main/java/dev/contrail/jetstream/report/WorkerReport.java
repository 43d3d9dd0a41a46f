package dev.contrail.jetstream.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.engine.WorkerCounts;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import io.nats.client.support.JsonValueUtils.MapBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a worker tells of itself every few seconds. Never a payload, and of exceptions only what
 * their fingerprint is made of.
 *
 * @param at when it was written, by the worker's clock
 * @param counts since it started
 * @param perSecond over the last half minute
 * @param paused whether it takes no messages, whoever told it so
 * @param breaker empty while the circuit breaker is closed
 * @param holds what it waits for and holds messages because of
 * @param retrying what fails and is tried again, most messages first
 * @param retryingMore messages that are tried again, and that {@code retrying} has no room for
 */
public record WorkerReport(
    Who who,
    Instant at,
    WorkerCounts counts,
    Rates perSecond,
    Load load,
    boolean paused,
    Optional<OpenBreaker> breaker,
    List<Hold> holds,
    List<Retrying> retrying,
    long retryingMore) {
  /** Of the format. */
  public static final int VERSION = 1;

  /** So many kinds of failure are told apart. */
  public static final int MOST_RETRYING = 20;

  private static final int MOST_HOLDS = 10;
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_TEXT = 300;
  private static final int LONGEST_FINGERPRINT = 64;

  public WorkerReport {
    holds = List.copyOf(holds);
    retrying = List.copyOf(retrying);
  }

  /**
   * Which worker.
   *
   * @param name by which its dead letters know it
   * @param instance another for each start, as names need not be unique
   * @param contrail the version of Contrail
   * @param app the version of the application, where it is known
   */
  public record Who(
      String name,
      String instance,
      String contrail,
      Optional<String> app,
      String stream,
      String consumer,
      Instant startedAt) {}

  /** How many a second. */
  public record Rates(double processed, double retried, double deduplicated, double dead) {
    public static final Rates NONE = new Rates(0, 0, 0, 0);

    public Rates {
      processed = Fields.rounded(processed);
      retried = Fields.rounded(retried);
      deduplicated = Fields.rounded(deduplicated);
      dead = Fields.rounded(dead);
    }

    public Rates plus(Rates other) {
      return new Rates(
          processed + other.processed,
          retried + other.retried,
          deduplicated + other.deduplicated,
          dead + other.dead);
    }
  }

  /**
   * What it has in hand.
   *
   * @param held of those in flight, because a store or what the handler needs is away
   * @param oldestRunning since when the handler runs that runs longest
   */
  public record Load(long inFlight, long held, Optional<Instant> oldestRunning) {}

  /** Nothing succeeds any more; what failed last. */
  public record OpenBreaker(Instant since, String fingerprint, String what) {}

  /** Something is away, and messages wait for it. */
  public record Hold(String what, Instant since) {}

  /** Messages that fail alike and are not dead. */
  public record Retrying(String fingerprint, String what, long messages, long mostDeliveries) {}

  /** As it is stored. */
  public byte[] encode() {
    MapBuilder json =
        JsonValueUtils.mapBuilder()
            .put("version", VERSION)
            .put("worker", Fields.cut(who.name, LONGEST_NAME))
            .put("instance", who.instance)
            .put("contrail", who.contrail)
            .put("app", who.app.map(it -> Fields.cut(it, LONGEST_NAME)).orElse(null))
            .put("stream", who.stream)
            .put("consumer", who.consumer)
            .put("startedAt", who.startedAt.toString())
            .put("at", at.toString())
            .put("counts", counted())
            .put("perSecond", rated())
            .put("inFlight", load.inFlight)
            .put("held", load.held)
            .put("oldestRunningSince", load.oldestRunning.map(Instant::toString).orElse(null))
            .put("paused", paused)
            .put("breaker", breaker.map(WorkerReport::opened).orElse(null))
            .put("holds", new JsonValue(holds.stream().map(WorkerReport::held).toList()))
            .put("retrying", new JsonValue(retrying.stream().map(WorkerReport::retried).toList()))
            .put("retryingMore", retryingMore);
    return json.toJsonValue().toJson().getBytes(UTF_8);
  }

  private JsonValue counted() {
    return JsonValueUtils.mapBuilder()
        .put("delivered", counts.delivered())
        .put("processed", counts.done())
        .put("deduplicated", counts.deduplicated())
        .put("retried", counts.retried())
        .put("dead", counts.dead())
        .put("alreadyDead", counts.alreadyDead())
        .put("givenBack", counts.givenBack())
        .put("lost", counts.lost())
        .toJsonValue();
  }

  private JsonValue rated() {
    return JsonValueUtils.mapBuilder()
        .put("processed", new JsonValue(perSecond.processed))
        .put("retried", new JsonValue(perSecond.retried))
        .put("deduplicated", new JsonValue(perSecond.deduplicated))
        .put("dead", new JsonValue(perSecond.dead))
        .toJsonValue();
  }

  private static JsonValue opened(OpenBreaker breaker) {
    return JsonValueUtils.mapBuilder()
        .put("since", breaker.since.toString())
        .put("fingerprint", breaker.fingerprint)
        .put("what", breaker.what)
        .toJsonValue();
  }

  private static JsonValue held(Hold hold) {
    return JsonValueUtils.mapBuilder()
        .put("what", hold.what)
        .put("since", hold.since.toString())
        .toJsonValue();
  }

  private static JsonValue retried(Retrying retrying) {
    return JsonValueUtils.mapBuilder()
        .put("fingerprint", retrying.fingerprint)
        .put("what", retrying.what)
        .put("messages", retrying.messages)
        .put("mostDeliveries", retrying.mostDeliveries)
        .toJsonValue();
  }

  /**
   * Reads one. Anybody may write there: texts are cut, lists end.
   *
   * @throws UnreadableReportException when it is none, or of a newer release
   */
  public static WorkerReport decode(byte[] data) {
    Fields fields = Fields.parse("The report of a worker", VERSION, data);
    return new WorkerReport(
        who(fields),
        fields.time("at"),
        fields.object("counts").map(WorkerReport::counts).orElse(NOTHING),
        fields.object("perSecond").map(WorkerReport::rates).orElse(Rates.NONE),
        new Load(
            fields.count("inFlight"), fields.count("held"), fields.maybeTime("oldestRunningSince")),
        fields.flag("paused"),
        fields.object("breaker").map(WorkerReport::breaker),
        fields.objects("holds", MOST_HOLDS).stream()
            .map(it -> new Hold(it.text("what", LONGEST_TEXT), it.time("since")))
            .toList(),
        fields.objects("retrying", MOST_RETRYING).stream().map(WorkerReport::retrying).toList(),
        fields.count("retryingMore"));
  }

  private static final WorkerCounts NOTHING = new WorkerCounts(0, 0, 0, 0, 0, 0, 0, 0);

  private static Who who(Fields fields) {
    return new Who(
        fields.text("worker", LONGEST_NAME),
        fields.text("instance", LONGEST_FINGERPRINT),
        fields.maybeText("contrail", LONGEST_FINGERPRINT).orElse("unknown"),
        fields.maybeText("app", LONGEST_NAME),
        fields.text("stream", LONGEST_NAME),
        fields.text("consumer", LONGEST_NAME),
        fields.time("startedAt"));
  }

  private static WorkerCounts counts(Fields fields) {
    return new WorkerCounts(
        fields.count("delivered"),
        fields.count("processed"),
        fields.count("deduplicated"),
        fields.count("retried"),
        fields.count("dead"),
        fields.count("alreadyDead"),
        fields.count("givenBack"),
        fields.count("lost"));
  }

  private static Rates rates(Fields fields) {
    return new Rates(
        fields.rate("processed"),
        fields.rate("retried"),
        fields.rate("deduplicated"),
        fields.rate("dead"));
  }

  private static OpenBreaker breaker(Fields fields) {
    return new OpenBreaker(
        fields.time("since"),
        fields.maybeText("fingerprint", LONGEST_FINGERPRINT).orElse(""),
        fields.maybeText("what", LONGEST_TEXT).orElse(""));
  }

  private static Retrying retrying(Fields fields) {
    return new Retrying(
        fields.text("fingerprint", LONGEST_FINGERPRINT),
        fields.maybeText("what", LONGEST_TEXT).orElse(""),
        fields.count("messages"),
        fields.count("mostDeliveries"));
  }
}
