package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import dev.contrail.engine.WorkerCounts;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.assertj.core.api.SoftAssertions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * All commands, each as a user of its own, doing what they are for: messages die, are replayed and
 * resolved, orphans are taken away. What does not end as it should is told of all commands at once.
 */
final class EveryCommand implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String GOOD = "good";
  private static final int MAX_PAYLOAD = 1_048_576;

  /** A replay of it fits, its dead letter does not. */
  private static final int LARGE = MAX_PAYLOAD - 450;

  private final NatsServer server;
  private final Path folder;
  private final SoftAssertions softly;
  private final Connection admin;
  private final JetStreamManagement management;
  private final Set<String> tried = Collections.synchronizedSet(new LinkedHashSet<>());

  /** What a command printed. */
  private record Run(int exit, String out, String err) {
    JsonNode json() {
      return JsonMapper.shared().readTree(out);
    }
  }

  EveryCommand(NatsServer server, Path folder, SoftAssertions softly) throws Exception {
    this.server = server;
    this.folder = folder;
    this.softly = softly;
    this.admin =
        Contrail.connect(Contrail.options(server.url()).userInfo("admin", "secret").build());
    this.management =
        admin.jetStreamManagement(JetStreamOptions.builder().requestTimeout(SOON).build());
  }

  /** The user of a command. */
  static String user(String command) {
    return command.replace(" ", "_").replace("-", "");
  }

  /** The commands that were tried. */
  Set<String> tried() {
    return tried;
  }

  void run() throws Exception {
    init();
    work();
    publish();
    look();
    decide();
    replay();
    carry();
    account();
    lose();
    orphans();
    guard();
    serve();
    doctor();
    purge();
    drill();
    tokens();
    workers();
  }

  private void init() throws Exception {
    as("init", 0);
    softly.assertThat(management.getStreamNames()).as("init").contains("CONTRAIL_DLQ");
    management.addStream(
        StreamConfiguration.builder()
            .name("UNCLAIMED")
            .subjects("unclaimed.>")
            .maxAge(Duration.ofDays(1))
            .build());
    management.addOrUpdateConsumer(
        "UNCLAIMED", ConsumerConfiguration.builder().durable("sorter").build());
    management.addStream(
        StreamConfiguration.builder().name("OLD_DLQ").subjects("old.>").allowDirect(false).build());
  }

  private void work() throws Exception {
    working("work --create", 3, "--create", "--subjects", "orders.>", "--retention", "work");
    management.updateStream(
        StreamConfiguration.builder(management.getStreamInfo("ORDERS").getConfiguration())
            .maxAge(Duration.ofDays(1))
            .allowDirect(true)
            .build());
    management.deleteConsumer("ORDERS", "billing");
    working("work --provision create", 9, "--provision", "create");
    working("work", 3, "--provision", "verify");
  }

  /** Has so many messages die by a worker in a process of its own, and one processed. */
  private void working(String command, int deaths, String... how) throws Exception {
    long before = count("CONTRAIL_DLQ");
    long done = count("CONTRAIL_LEDGER");
    List<String> arguments = new ArrayList<>(List.of("work", "ORDERS", "billing"));
    arguments.addAll(List.of("--filter", "orders.new", "--ack-wait", "5s"));
    arguments.addAll(List.of("--exec", "grep -q good || exit 65"));
    arguments.addAll(List.of(how));
    arguments.addAll(credentials(command));
    Path output = Files.createTempFile(folder, "work", ".out");
    Process process = start(output, arguments);
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .failFast(() -> assertThat(process.isAlive()).as(said(command, output)).isTrue())
          .untilAsserted(
              () ->
                  assertThat(management.getStreamNames())
                      .as(said(command, output))
                      .contains("ORDERS"));
      store("orders.new", GOOD);
      for (int i = 1; i < deaths; i++) {
        store("orders.new", "bad " + i);
      }
      // Its dead letter does not fit into one message.
      store("orders.new", "bad" + "x".repeat(LARGE));
      await()
          .atMost(Duration.ofSeconds(60))
          .failFast(() -> assertThat(process.isAlive()).as(said(command, output)).isTrue())
          .untilAsserted(() -> assertThat(count("ORDERS")).as(said(command, output)).isZero());
      softly.assertThat(count("CONTRAIL_DLQ") - before).as(command).isGreaterThan(deaths);
      softly.assertThat(count("CONTRAIL_LEDGER")).as(command).isGreaterThan(done);
    } finally {
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(said(command, output)).isTrue();
    }
    softly.assertThat(Files.readString(output)).as(command).doesNotContain("ERROR", "may not");
    tried.add(command);
  }

  private static Supplier<String> said(String command, Path output) {
    return () -> {
      try {
        return command + ", which said: " + Files.readString(output);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  private Process start(Path output, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(variables());
    return builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  private void publish() throws Exception {
    as("publish", 0, "orders.new", "bad", "--key", "k1");
    softly.assertThat(count("ORDERS")).as("publish").isEqualTo(1);
    as("publish --fallback", 0, "unclaimed.orders", "orders.new", "bad");
    as("publish --fallback", 0, "unclaimed.orders", "orders.odd", "bad");
    softly.assertThat(count("UNCLAIMED")).as("publish --fallback").isEqualTo(1);
    die();
  }

  private void look() throws Exception {
    as("dlq ls", 0);
    as("dlq ls", 0, "--state", "open", "--grep", "bad 1");
    as("dlq groups", 0);
    as("dlq groups", 0, "--state", "open");
    as("dlq show", 0, id());
    as("dlq show", 0, id(), "--payload");
    CompletableFuture<Run> watch =
        CompletableFuture.supplyAsync(() -> as("dlq watch", 0, "--count", "1", "--json"));
    while (!watch.isDone()) {
      store("orders.new", "bad");
      die();
    }
    softly.assertThat(watch.get().out()).as("dlq watch").contains("ORDERS.billing.");
  }

  private void decide() {
    String id = id();
    as("dlq note", 0, id, "somebody looks at it");
    as("dlq discard", 0, id, "--because", "a test", "--yes");
    softly.assertThat(state(id)).as("dlq discard").isEqualTo("discarded");
    as("dlq restore", 0, id, "--yes");
    softly.assertThat(state(id)).as("dlq restore").isEqualTo("open");
    as("dlq edit", 0, id);
    softly.assertThat(ok("dlq", "show", id).out()).as("dlq edit").contains("edited");
  }

  private void replay() throws Exception {
    try (ContrailConsumer worker = billing()) {
      String id = id();
      as("dlq replay", 0, id, "--wait", "--yes");
      softly.assertThat(state(id)).as("dlq replay").isEqualTo("resolved");
      // With the headers of a replay it does not fit, which is found out and written down.
      String tooLarge = id(store("orders.new", "bad" + "x".repeat(MAX_PAYLOAD - 3)));
      await().atMost(SOON).until(() -> open().contains(tooLarge));
      as("dlq replay", 1, tooLarge, "--yes");
      as("dlq replay --to", 1, "unclaimed.orders", tooLarge, "--yes");

      CompletableFuture<Run> slow =
          CompletableFuture.supplyAsync(
              () -> as("dlq replay", 1, "--all", "--rate", "1/s", "--yes"));
      await().atMost(SOON).until(() -> !unfinished().isEmpty() || slow.isDone());
      String plan = unfinished().get(0);
      as("dlq plans ls", 0);
      as("dlq plans cancel", 0, plan);
      slow.get(60, TimeUnit.SECONDS);
      as("dlq plans show", 1, plan);
      as("dlq plans resume", 1, plan, "--wait", "--yes");
      softly.assertThat(open()).as("dlq plans resume").containsExactly(tooLarge);
    }
  }

  /** Copies that nobody takes, and that vanish. */
  private void lose() throws Exception {
    String id = id(store("orders.new", "bad"));
    die();
    ok("dlq", "replay", id, "--yes");
    ok("dlq", "discard", id, "--because", "a test", "--force", "--yes");
    as("dlq restore", 0, id, "--force", "--yes");
    softly.assertThat(state(id)).as("dlq restore --force").isEqualTo("open");
    die();

    // Of two plans that were made in the same second, a list may have either first.
    String plan = ok("dlq", "replay", id, "--yes", "--json").json().get("plan").asString();
    long copy = management.getStreamInfo("ORDERS").getStreamState().getLastSequence();
    management.deleteMessage("ORDERS", copy, false);
    as("dlq plans show", 1, plan);
    softly.assertThat(state(id)).as("dlq plans show").isEqualTo("open");
  }

  private void carry() throws Exception {
    store("orders.new", "bad");
    die();
    Path file = folder.resolve("dead.jsonl");
    as("dlq export", 0, file.toString());
    softly.assertThat(file).as("dlq export").isNotEmptyFile();
    long all = count("CONTRAIL_DLQ");
    management.purgeStream("CONTRAIL_DLQ");
    management.purgeStream("CONTRAIL_EVENTS");
    as("dlq import", 0, file.toString());
    softly.assertThat(count("CONTRAIL_DLQ")).as("dlq import").isEqualTo(all);
    store("old.orders", "x".repeat(LARGE));
    as(
        "dlq import --from-stream",
        0,
        "OLD_DLQ",
        "--of-stream",
        "ORDERS",
        "--of-consumer",
        "billing");
    softly.assertThat(count("CONTRAIL_DLQ")).as("dlq import --from-stream").isGreaterThan(all);
  }

  private void orphans() throws Exception {
    String[] reaps = {"orphans reap", "orphans reap --to", "orphans reap --delete"};
    billing(it -> it.maxDeliver(1));
    for (String reap : reaps) {
      store("orders.odd", "lost".repeat(LARGE / 4));
      // The server says that it gave up on one, while another is pending.
      giveUp("orders.new", "billing");
      store("orders.new", "bad");
      as("orphans scan", 1, "ORDERS");
      as("orphans scan", 1);
      String to = reap.endsWith("--to") ? "unclaimed.orders" : "";
      List<String> more = new ArrayList<>(to.isEmpty() ? List.of() : List.of(to));
      more.addAll(List.of("--older-than", "0s", "ORDERS", "--yes"));
      as(reap, 0, more.toArray(String[]::new));
      softly.assertThat(count("ORDERS")).as(reap).isEqualTo(1);
      admin
          .jetStream()
          .subscribe(null, PullSubscribeOptions.bind("ORDERS", "billing"))
          .fetch(1, SOON)
          .forEach(Message::ack);
      await().atMost(SOON).until(() -> count("ORDERS") == 0);
    }
    billing(it -> it.maxDeliver(-1));
    softly.assertThat(count("UNCLAIMED")).as("orphans reap --to").isEqualTo(3);
    replayForOthers();
  }

  /** Consumers without a ledger are watched from outside. */
  private void replayForOthers() throws Exception {
    as("dlq replay --to", 0, "unclaimed.orders", "--consumer", "_orphan", "--yes");
    softly.assertThat(count("UNCLAIMED")).as("dlq replay --to").isEqualTo(4);
    store("orders.odd", "lost");
    ok("orphans", "reap", "--older-than", "0s", "ORDERS", "--yes");
    management.addOrUpdateConsumer(
        "ORDERS",
        ConsumerConfiguration.builder().durable("mail").filterSubject("orders.odd").build());
    String other =
        open().stream().filter(it -> it.startsWith("ORDERS._orphan.")).findFirst().orElseThrow();
    CompletableFuture<Run> replay =
        CompletableFuture.supplyAsync(() -> as("dlq replay", 0, other, "--wait", "--yes"));
    admin
        .jetStream()
        .subscribe(null, PullSubscribeOptions.bind("ORDERS", "mail"))
        .fetch(1, SOON)
        .forEach(Message::ack);
    replay.get(60, TimeUnit.SECONDS);
    softly.assertThat(state(other)).as("dlq replay for others").isEqualTo("resolved");
  }

  private void guard() throws Exception {
    management.addOrUpdateConsumer(
        "ORDERS",
        ConsumerConfiguration.builder()
            .durable("mail")
            .filterSubject("orders.odd")
            .maxDeliver(1)
            .build());
    giveUp("orders.odd", "mail");
    as("guard --dry-run", 0);
    long letters = count("CONTRAIL_DLQ");
    as("guard", 0, "--once");
    softly.assertThat(count("CONTRAIL_DLQ")).as("guard").isGreaterThan(letters);
    softly.assertThat(count("ORDERS")).as("guard").isEqualTo(1);
    as("guard", 0, "--once", "--from-start");
    as("guard --release", 0, "ORDERS", "--once", "--from-start");
    softly.assertThat(count("ORDERS")).as("guard --release").isZero();
  }

  private void serve() throws Exception {
    giveUp("orders.odd", "mail");
    store("orders.new", GOOD);
    serving("serve", "--from-start", "--over", "50ms");
    softly.assertThat(count("ORDERS")).as("serve").isEqualTo(2);
    giveUp("orders.odd", "mail");
    serving("serve --release", "ORDERS", "--from-start", "--over", "50ms");
    softly.assertThat(count("ORDERS")).as("serve --release").isEqualTo(1);
    die();
  }

  /** Serves until the guard has worked off what there is, and all else was done at least once. */
  private void serving(String command, String... more) throws Exception {
    long letters = count("CONTRAIL_DLQ");
    List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("--json", "--port", "0"));
    arguments.addAll(credentials(command));
    Path output = Files.createTempFile(folder, "serve", ".out");
    Process process = start(output, arguments);
    try (ServeWatch serve = new ServeWatch(process, output)) {
      await().atMost(SOON).until(() -> serve.status("/readyz") == 200);
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(serve.get("/metrics"))
                      .contains("contrail_guard_waiting 0.0", "contrail_guard_last_sweep_age")
                      .contains("contrail_task_last_success_age_seconds{task=\"doctor\"}")
                      .contains("contrail_task_last_success_age_seconds{task=\"orphans\"}")
                      .contains(
                          "contrail_dead_letters_open{reason=\"exhausted\",stream=\"ORDERS\"}")
                      .doesNotContain("contrail_guard_advisories_total 0.0"));
      softly.assertThat(count("CONTRAIL_DLQ")).as(command).isGreaterThan(letters);
      softly
          .assertThat(serve.get("/metrics"))
          .as(command)
          .contains("contrail_guard_failures_total 0.0")
          .doesNotContain("CT047", "CT052");
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
      softly.assertThat(process.exitValue()).as(command).isZero();
      softly
          .assertThat(Files.readString(output))
          .as(command)
          .doesNotContain("\"task.failing\"", "\"guard.trouble\"", "\"stopping.slow\"");
    }
    tried.add(command);
  }

  /** Has a consumer with MaxDeliver 1 give up on a message whose dead letter needs parts. */
  private void giveUp(String subject, String consumer) throws Exception {
    long before = count("CONTRAIL_ADVISORIES");
    store(subject, "x".repeat(LARGE));
    JetStreamSubscription pull =
        admin.jetStream().subscribe(null, PullSubscribeOptions.bind("ORDERS", consumer));
    await()
        .atMost(SOON)
        .until(
            () -> {
              pull.fetch(1, Duration.ofMillis(100)).forEach(Message::nak);
              return count("CONTRAIL_ADVISORIES") > before;
            });
    pull.unsubscribe();
  }

  /** Alters the consumer, which no worker uses at the time. */
  private void billing(UnaryOperator<ConsumerConfiguration.Builder> change) throws Exception {
    ConsumerConfiguration now =
        management.getConsumerInfo("ORDERS", "billing").getConsumerConfiguration();
    management.addOrUpdateConsumer(
        "ORDERS", change.apply(ConsumerConfiguration.builder(now)).build());
  }

  /** With a dead letter in parts, and plans. */
  private void drill() throws Exception {
    as(
        "drill",
        0,
        "--scenario",
        "evidence",
        "--scenario",
        "replay",
        "--quick",
        "--messages",
        "8",
        "--ack-wait",
        "1s");
    softly
        .assertThat(management.getStreamNames())
        .as("streams of the drill that are left")
        .noneMatch(name -> name.contains("DRILL"));
  }

  private void workers() {
    reportByHand();
    softly
        .assertThat(as("workers ls", 0).out())
        .as("workers ls")
        .contains("ORDERS", "billing", "17@host", "working");
    softly
        .assertThat(as("workers pause", 0, "ORDERS", "billing", "--because", "a test").out())
        .as("workers pause")
        .contains("one worker");
    as("workers pause", 0, "ORDERS");
    softly
        .assertThat(as("workers resume", 0, "ORDERS", "--all").out())
        .as("workers resume")
        .contains("a test");
  }

  /** What a worker would tell. */
  private void reportByHand() {
    WorkerReport report =
        new WorkerReport(
            new WorkerReport.Who(
                "17@host", "k3f7", "0", Optional.empty(), "ORDERS", "billing", Instant.now()),
            Instant.now(),
            new WorkerCounts(0, 0, 0, 0, 0, 0, 0, 0),
            WorkerReport.Rates.NONE,
            new WorkerReport.Load(0, 0, Optional.empty()),
            false,
            Optional.empty(),
            List.of(),
            List.of(),
            0);
    try {
      admin.jetStream().publish("$KV.CONTRAIL_WORKERS.ORDERS.billing.k3f7", report.encode());
    } catch (IOException | JetStreamApiException e) {
      throw new AssertionError(e);
    }
  }

  private void tokens() {
    String id = as("token new", 0, "ann", "--json").json().path("id").asString();
    softly.assertThat(as("token ls", 0).out()).as("token ls").contains(id, "ann", "viewer");
    as("token revoke", 0, id);
  }

  private void doctor() throws Exception {
    store("orders.new", GOOD);
    for (List<String> which : List.of(List.<String>of(), List.of("ORDERS"))) {
      List<String> arguments = new ArrayList<>(which);
      arguments.addAll(List.of("--over", "50ms", "--fail-on", "never", "--json"));
      Run run =
          as(which.isEmpty() ? "doctor" : "doctor STREAM", 0, arguments.toArray(String[]::new));
      softly
          .assertThat(run.out())
          .as("doctor")
          .contains("\"findings\"")
          .doesNotContain("CT047", "CT052");
    }
    die();
  }

  private void account() throws Exception {
    String done = Long.toString(store("orders.new", GOOD));
    Run audit = as("audit", 0, "ORDERS");
    softly.assertThat(audit.out()).as("audit").contains("processed");
    die();
    as("ledger ls", 0);
    as("ledger show", 0, "ORDERS", "billing");
    as("ledger forget", 0, "ORDERS", "billing", "--from", done, "--to", done, "--yes");
    softly.assertThat(as("audit", 1, "ORDERS").out()).as("ledger forget").contains("unaccounted");
  }

  private void purge() throws Exception {
    as("dlq discard", 0, "--all", "--because", "the end", "--yes");
    as("dlq restore", 0, "--state", "discarded", "--yes");
    as("dlq discard", 0, "--all", "--because", "the end", "--yes");
    long before = count("CONTRAIL_DLQ");
    as("dlq purge", 0, "--older-than", "0s", "--yes");
    softly.assertThat(count("CONTRAIL_DLQ")).as("dlq purge").isLessThan(before - 15);
  }

  /** Has billing reject what the stream holds for it. */
  private void die() throws Exception {
    try (ContrailConsumer worker = billing()) {
      await()
          .atMost(SOON)
          .until(() -> management.getConsumerInfo("ORDERS", "billing").getNumPending() == 0);
      await()
          .atMost(SOON)
          .until(() -> management.getConsumerInfo("ORDERS", "billing").getNumAckPending() == 0);
    }
  }

  private ContrailConsumer billing() {
    return Contrail.consumer(admin, "ORDERS", "billing")
        .filter("orders.new")
        .handler(
            delivery -> {
              boolean replayed = delivery.headers().first("Contrail-Replay-Of").isPresent();
              if (!replayed && !new String(delivery.data(), UTF_8).contains(GOOD)) {
                throw new dev.contrail.RejectedMessageException("told to");
              }
            })
        .start();
  }

  private long store(String subject, String text) throws Exception {
    return admin.jetStream().publish(subject, text.getBytes(UTF_8)).getSeqno();
  }

  /** The dead letter of billing's message of that sequence. */
  private String id(long sequence) throws Exception {
    Instant created = management.getStreamInfo("ORDERS").getCreateTime().toInstant();
    return new DeadLetterId("ORDERS", "billing", Incarnation.of(created), sequence).toString();
  }

  private long count(String stream) throws Exception {
    return management.getStreamInfo(stream).getStreamState().getMsgCount();
  }

  private List<String> open() {
    List<String> ids = new ArrayList<>();
    ok("dlq", "ls", "--state", "open", "--json")
        .json()
        .forEach(it -> ids.add(it.get("id").asString()));
    return ids;
  }

  private String id() {
    return open().get(0);
  }

  private String state(String id) {
    return ok("dlq", "show", id, "--json").json().get("state").asString();
  }

  private List<String> unfinished() {
    List<String> plans = new ArrayList<>();
    for (JsonNode plan : ok("dlq", "plans", "ls", "--json").json()) {
      if (!plan.get("state").asString().equals("finished")) {
        plans.add(plan.get("plan").asString());
      }
    }
    return plans;
  }

  private Run ok(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--user", "admin", "--password", "secret"));
    Run run = run(all);
    assertThat(run.exit()).as(run.err()).isZero();
    return run;
  }

  /** Runs a command as its own user. */
  private Run as(String command, int exit, String... more) {
    tried.add(command);
    List<String> all = new ArrayList<>(List.of(command.replace(" STREAM", "").split(" ", -1)));
    all.addAll(List.of(more));
    all.addAll(credentials(command));
    Run run = run(all);
    softly
        .assertThat(run.exit())
        .as("exit of %s: %s%s", String.join(" ", all), run.out(), run.err())
        .isEqualTo(exit);
    return run;
  }

  private static List<String> credentials(String command) {
    return List.of("--user", user(command), "--password", "secret", "--timeout", "3s");
  }

  private Map<String, String> variables() {
    Map<String, String> env = new HashMap<>();
    env.put("NATS_URL", server.url());
    env.put("XDG_CONFIG_HOME", folder.toString());
    env.put("EDITOR", "sed -i s/bad/" + GOOD + "/");
    return env;
  }

  private Run run(List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        Program.run(
            new Surroundings(
                variables(),
                folder,
                folder,
                new PrintWriter(out),
                new PrintWriter(err),
                Terminal.none()),
            arguments.toArray(String[]::new));
    return new Run(exit, out.toString(), err.toString());
  }

  @Override
  public void close() throws Exception {
    admin.close();
  }
}
