package dev.contrail.cli;

import static dev.contrail.cli.DeadLetterPlace.SOON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.operations.orphans.OrphanClass;
import dev.contrail.server.RedisServer;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What rules, dashboard and documents name, against what a real worker and a real serve show. */
@Timeout(180)
class MonitoringTest {
  private static final Pattern SERIES = Pattern.compile("(\\w+)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern USE = Pattern.compile("((?:contrail|jvm)_\\w+)(?:\\{([^}]*)})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!=|!~|=)\"([^\"]*)\"");
  private static final Pattern GROUPED = Pattern.compile("(?:by|on|without) \\(([^)]*)\\)");
  private static final Pattern PARTS = Pattern.compile("_(?:sum|count|bucket|max)$");

  /** What Prometheus itself adds. */
  private static final Set<String> ADDED = Set.of("instance", "job");

  @TempDir Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void whatever_is_named_exists_with_its_labels() throws Exception {
    Map<String, Map<String, Set<String>>> shown = shown();
    for (Map.Entry<String, String> expression : Shipped.expressions().entrySet()) {
      check(expression.getKey(), expression.getValue(), shown);
    }
    Set<String> documented = new TreeSet<>();
    Pattern.compile("`(contrail_\\w+)`")
        .matcher(Shipped.read(Path.of("../docs/metrics.md")))
        .results()
        .forEach(found -> documented.add(found.group(1)));
    Set<String> exposed = new TreeSet<>();
    shown.keySet().stream()
        .filter(name -> name.startsWith("contrail_"))
        .forEach(name -> exposed.add(shortened(name)));
    assertThat(documented).as("docs/metrics.md").isEqualTo(exposed);
  }

  private static void check(
      String where, String expression, Map<String, Map<String, Set<String>>> shown) {
    Set<String> labels = new HashSet<>(ADDED);
    labels.add("le");
    for (MatchResult use : USE.matcher(expression).results().toList()) {
      String name = use.group(1);
      assertThat(shown).as("%s: %s", where, expression).containsKey(name);
      labels.addAll(of(shown, name).keySet());
      Matcher matcher = MATCHER.matcher(use.group(2) == null ? "" : use.group(2));
      while (matcher.find()) {
        assertThat(of(shown, name))
            .as("%s: labels of %s", where, name)
            .containsKey(matcher.group(1));
        if (!matcher.group(2).contains("~")) {
          assertThat(of(shown, name).get(matcher.group(1)))
              .as("%s: values of %s of %s", where, matcher.group(1), name)
              .contains(matcher.group(3));
        }
      }
    }
    GROUPED
        .matcher(expression)
        .results()
        .forEach(
            grouped ->
                assertThat(labels)
                    .as("%s: %s", where, expression)
                    .contains(grouped.group(1).split(",\\s*", -1)));
  }

  private static Map<String, Set<String>> of(
      Map<String, Map<String, Set<String>>> shown, String name) {
    return Objects.requireNonNull(shown.get(name), name);
  }

  private static String shortened(String name) {
    boolean part =
        name.startsWith("contrail_handler_") || name.startsWith("contrail_ledger_commit_s");
    return part ? PARTS.matcher(name).replaceFirst("") : name;
  }

  /** All that is shown when all kinds of things have happened: names, labels, their values. */
  private Map<String, Map<String, Set<String>>> shown() throws Exception {
    try (RedisServer redis = RedisServer.start();
        DeadLetterPlace place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue)) {
      Path serveLog = folder.resolve("serve.log");
      Process serveProgram =
          place.start(
              serveLog, "serve", "--json", "--port=0", "--orphans-every=1s", "--doctor-every=1s");
      try (ServeWatch serve = new ServeWatch(serveProgram, serveLog);
          Working orders = work(place, "ORDERS", "--filter=orders.new.*");
          Working jobs =
              work(place, "JOBS", "--create", "--subjects=jobs.>", "--ledger=" + redis.url())) {
        happen(place);
        Map<String, Map<String, Set<String>>> all = new TreeMap<>();
        // Of these only some happened.
        Set<String> classes =
            Arrays.stream(OrphanClass.values())
                .map(OrphanClass::text)
                .collect(Collectors.toCollection(TreeSet::new));
        await()
            .atMost(SOON)
            .untilAsserted(
                () -> {
                  all.clear();
                  add(all, orders.metrics());
                  add(all, jobs.metrics());
                  add(all, serve.get("/metrics"));
                  assertThat(all)
                      .containsKeys(
                          "contrail_redeliveries_total",
                          "contrail_ledger_ttl_headroom_seconds",
                          "contrail_ack_pending_messages",
                          "contrail_dead_letters_open",
                          "contrail_store_bytes_limit",
                          "contrail_store_messages_limit",
                          "contrail_orphans_oldest_age_seconds",
                          "contrail_guard_last_sweep_age_seconds");
                  assertThat(of(all, "contrail_doctor_findings").get("severity")).contains("error");
                });
        of(all, "contrail_orphans").put("class", classes);
        return all;
      }
    }
  }

  private static void happen(DeadLetterPlace place) throws Exception {
    limit(place, "CONTRAIL_DLQ", now -> now.maxBytes(100_000_000));
    // That events vanish is an error to the doctor.
    limit(place, "CONTRAIL_EVENTS", now -> now.maxMessages(1_000_000).maxAge(Duration.ofDays(365)));
    for (String payload : List.of("ok", "bad", "again")) {
      place.connection.jetStream().publish("orders.new.17", payload.getBytes(UTF_8));
      place.connection.jetStream().publish("jobs.new.17", payload.getBytes(UTF_8));
    }
    // Nobody takes this one.
    place.connection.jetStream().publish("orders.lost", "x".getBytes(UTF_8));
    exhaust(place);
  }

  /** A foreign consumer that gives up on a message, and is set up to lose it. */
  private static void exhaust(DeadLetterPlace place) throws Exception {
    place.management.addStream(
        StreamConfiguration.builder()
            .name("FOREIGN")
            .subjects("foreign.>")
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .build());
    place.management.addOrUpdateConsumer(
        "FOREIGN", ConsumerConfiguration.builder().durable("billing").maxDeliver(1).build());
    place.connection.jetStream().publish("foreign.a", "x".getBytes(UTF_8));
    JetStreamSubscription pull =
        place
            .connection
            .jetStream()
            .subscribe(null, PullSubscribeOptions.bind("FOREIGN", "billing"));
    pull.fetch(1, Duration.ofSeconds(10)).forEach(Message::nak);
    place.connection.flush(SOON);
    pull.fetch(1, Duration.ofMillis(100));
    pull.unsubscribe();
  }

  private static void limit(
      DeadLetterPlace place, String stream, UnaryOperator<StreamConfiguration.Builder> change)
      throws Exception {
    StreamConfiguration now = place.management.getStreamInfo(stream).getConfiguration();
    place.management.updateStream(change.apply(StreamConfiguration.builder(now)).build());
  }

  private Working work(DeadLetterPlace place, String stream, String... more) throws Exception {
    Path log = folder.resolve(stream + ".log");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "work",
                stream,
                "worker",
                "--metrics-port=0",
                "--exec",
                "read m; test $m != bad || exit 65; test $m != again || exit 75"));
    arguments.addAll(List.of(more));
    Process process = place.start(log, arguments.toArray(String[]::new));
    Pattern address = Pattern.compile("metrics at (http\\S+)/metrics");
    try {
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                assertThat(process.isAlive()).as("it runs: %s", Files.readString(log)).isTrue();
                assertThat(Files.readString(log)).contains("Ctrl-C ends");
              });
      Matcher found = address.matcher(Files.readString(log));
      assertThat(found.find()).isTrue();
      return new Working(process, URI.create(found.group(1)));
    } catch (RuntimeException | Error e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private final class Working implements AutoCloseable {
    private final Process process;
    private final URI address;

    private Working(Process process, URI address) {
      this.process = process;
      this.address = address;
    }

    private String metrics() throws Exception {
      return client
          .send(
              HttpRequest.newBuilder(address.resolve("/metrics")).build(), BodyHandlers.ofString())
          .body();
    }

    @Override
    public void close() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static void add(Map<String, Map<String, Set<String>>> all, String text) {
    for (String line : text.split("\n", -1)) {
      Matcher series = SERIES.matcher(line);
      if (!line.startsWith("#") && series.matches()) {
        Map<String, Set<String>> labels =
            all.computeIfAbsent(series.group(1), any -> new TreeMap<>());
        if (series.group(2) != null) {
          LABEL
              .matcher(series.group(2))
              .results()
              .forEach(
                  label ->
                      labels
                          .computeIfAbsent(label.group(1), any -> new TreeSet<>())
                          .add(label.group(2)));
        }
      }
    }
  }
}
