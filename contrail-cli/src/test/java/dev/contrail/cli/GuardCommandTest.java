package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.permissions.CommandPermissions;
import dev.contrail.operations.permissions.Place;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GuardCommandTest extends CommandTest {
  @TempDir Path place;

  @SuppressWarnings("NullAway.Init") // opened by those tests that need it
  private DeadLetterPlace server;

  @AfterEach
  void close() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  /** A workqueue with two messages that its consumer gave up on. */
  private void open() throws Exception {
    server = new DeadLetterPlace(place, RetentionPolicy.WorkQueue);
    assertThat(server.run("init")).as(server.err).isZero();
    giveUp(server.connection);
  }

  private static void giveUp(Connection connection) throws Exception {
    JetStreamManagement management = connection.jetStreamManagement();
    management.addOrUpdateConsumer(
        "ORDERS",
        ConsumerConfiguration.builder()
            .durable("billing")
            .maxDeliver(1)
            .filterSubject("orders.new")
            .build());
    long before = advisories(management);
    for (int i = 0; i < 2; i++) {
      connection.jetStream().publish("orders.new", ("order " + i).getBytes(UTF_8));
    }
    JetStreamSubscription pull =
        connection.jetStream().subscribe(null, PullSubscribeOptions.bind("ORDERS", "billing"));
    await()
        .atMost(DeadLetterPlace.SOON)
        .until(
            () -> {
              pull.fetch(10, Duration.ofMillis(100)).forEach(Message::nak);
              return advisories(management) == before + 2;
            });
  }

  private static long advisories(JetStreamManagement management) throws Exception {
    return management.getStreamInfo("CONTRAIL_ADVISORIES").getStreamState().getMsgCount();
  }

  private long count(String stream) throws Exception {
    return server.management.getStreamInfo(stream).getStreamState().getMsgCount();
  }

  private List<JsonNode> lines(String event) {
    return server
        .out
        .lines()
        .map(it -> JsonMapper.shared().readTree(it))
        .filter(it -> it.get("event").asString().equals(event))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --release=CONTRAIL_DLQ            | 'CONTRAIL_DLQ' is Contrail's own or left out
          --release=KV_CONTRAIL_LEASES      | 'KV_CONTRAIL_LEASES' is Contrail's own or left out
          --release=A --exclude=A           | 'A' is Contrail's own or left out
          --release=A --streams=B*          | 'A' is Contrail's own or left out
          --release=A*                      | 'A*' cannot be a name
          --release=A --release-all         | --release names streams and --release-all means all; say one
          --streams=a.b                     | 'a.b' names no stream; accepted are names like ORDERS
          --exclude=a>                      | 'a>' names no stream
          --sweep-every=1s                  | '1s' is out of range; accepted is 10s to 30d
          --sweep-every=soon                | 'soon'
          ORDERS                            | ORDERS
          """)
  void refuses_what_it_cannot_take_in_a_sentence(String options, String sentence) {
    String[] args = ("guard " + options).split(" ");

    assertThat(run(args)).as(err).isEqualTo(ExitCode.USAGE);

    assertThat(err).contains(sentence).doesNotContain("Exception");
    assertThat(err.lines().count()).as(err).isLessThanOrEqualTo(2);
  }

  @Test
  void says_at_the_start_what_it_looks_at_and_takes_nothing_unless_told() throws Exception {
    open();

    assertThat(server.run("guard", "--once")).as(server.err).isZero();

    assertThat(server.out)
        .contains("looks at    ORDERS\n")
        .contains("takes from  none: it copies, and --release STREAM lets it")
        .contains("2 could be released (--release ORDERS --from-start)")
        .contains("Ended: 2 advisories, 2 dead-lettered, 0 released.");
    assertThat(count("ORDERS")).isEqualTo(2);
    assertThat(server.entries()).hasSize(2);

    // Allowed later, it goes back to what was worked off before.
    assertThat(server.run("guard", "--once", "--release", "ORDERS", "LATER", "--from-start"))
        .as(server.err)
        .isZero();
    assertThat(server.out)
        .contains("takes from  ORDERS; when it comes, LATER\n")
        .contains("Ended: 2 advisories, 0 dead-lettered, 2 released.");
    assertThat(count("ORDERS")).isZero();
    assertThat(server.entries()).hasSize(2);
  }

  @Test
  void a_dry_run_says_what_it_would_do_and_touches_nothing() throws Exception {
    open();
    for (int i = 0; i < 2; i++) {
      assertThat(server.run("guard", "--dry-run", "--release-all")).as(server.err).isZero();
      assertThat(server.out)
          .contains("ORDERS/billing: 2 would be dead-lettered (exhausted), 2 would be released")
          .contains("Nothing was touched");
    }
    assertThat(count("ORDERS")).isEqualTo(2);
    assertThat(count("CONTRAIL_DLQ")).isZero();
    assertThat(server.management.getConsumerNames("CONTRAIL_ADVISORIES"))
        .doesNotContain("contrail-guard");
  }

  @Test
  void a_dry_run_needs_nothing_of_contrail_on_the_server() throws Exception {
    server = new DeadLetterPlace(place, RetentionPolicy.WorkQueue);

    assertThat(server.run("guard", "--dry-run")).as(server.err).isZero();

    assertThat(server.management.getStreamNames()).containsExactly("ORDERS");
  }

  @Test
  void in_json_each_act_is_a_line() throws Exception {
    open();

    assertThat(server.run("guard", "--once", "--release", "ORDERS", "--json"))
        .as(server.err)
        .isZero();

    assertThat(lines("started")).hasSize(1);
    assertThat(lines("started").get(0).get("release").get(0).asString()).isEqualTo("ORDERS");
    assertThat(lines("buried"))
        .hasSize(2)
        .allSatisfy(
            it -> {
              assertThat(it.get("stream").asString()).isEqualTo("ORDERS");
              assertThat(it.get("consumer").asString()).isEqualTo("billing");
              assertThat(it.get("reason").asString()).isEqualTo("exhausted");
              assertThat(it.get("deadLetter").asString()).startsWith("ORDERS.billing.");
            });
    assertThat(lines("released"))
        .hasSize(2)
        .allMatch(it -> it.get("how").asString().equals("deleted"));
    assertThat(lines("ended").get(0).get("released").asInt()).isEqualTo(2);
  }

  @Test
  void settings_name_streams_too() throws Exception {
    open();
    server.env.put("CONTRAIL_GUARD_RELEASE", "LATER,ORDERS");

    assertThat(server.run("guard", "--once")).as(server.err).isZero();

    assertThat(server.out).contains("takes from  ORDERS; when it comes, LATER\n");
    assertThat(count("ORDERS")).isZero();
  }

  @Test
  void leaves_alone_what_is_left_out() throws Exception {
    open();

    assertThat(server.run("guard", "--once", "--release-all", "--exclude", "ORD*"))
        .as(server.err)
        .isZero();

    assertThat(server.out).contains("looks at    no stream yet");
    assertThat(count("ORDERS")).isEqualTo(2);
    assertThat(count("CONTRAIL_DLQ")).isZero();
  }

  /** The permissions that docs/permissions.md lists, and no others. */
  @ParameterizedTest
  @EnumSource(
      value = RetentionPolicy.class,
      names = {"WorkQueue", "Interest"})
  void the_listed_permissions_are_enough(RetentionPolicy retention) throws Exception {
    Place any = Place.example(Names.DEFAULT);
    Place orders =
        new Place(
            any.names(),
            "ORDERS",
            any.consumer(),
            any.subject(),
            any.target(),
            any.targetStream(),
            any.oldStream());
    String listed =
        CommandPermissions.of("guard --release", orders).orElseThrow().publish().stream()
            .map(subject -> "\"" + subject + "\"")
            .collect(Collectors.joining(", "));
    try (NatsServer guarded =
            NatsServer.builder()
                .config(
                    """
                    authorization { users: [
                      { user: admin, password: secret }
                      { user: guard, password: secret, permissions: {
                          publish: { allow: [%s] }, subscribe: { allow: ["_INBOX.>"] } } }
                    ] }
                    """
                        .formatted(listed))
                .start();
        Connection admin =
            Contrail.connect(Contrail.options(guarded.url()).userInfo("admin", "secret").build())) {
      env.put("NATS_URL", guarded.url());
      env.put("NATS_USER", "admin");
      env.put("NATS_PASSWORD", "secret");
      assertThat(run("init")).as(err).isZero();
      admin
          .jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name("ORDERS")
                  .subjects("orders.>")
                  .retentionPolicy(retention)
                  .build());
      // One that has a ledger, too.
      Contrail.consumer(admin, "ORDERS", "mail")
          .filter("orders.mail")
          .handler(it -> {})
          .start()
          .close();
      admin
          .jetStream()
          .publish(
              "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.ORDERS.mail",
              """
          {"type":"io.nats.jetstream.advisory.v1.max_deliver","timestamp":"%s",\
          "stream":"ORDERS","consumer":"mail","stream_seq":1,"deliveries":1}"""
                  .formatted(Instant.now())
                  .getBytes(UTF_8));
      giveUp(admin);
      env.put("NATS_USER", "guard");

      for (String more : List.of("--json", "--from-start")) {
        assertThat(run("guard", "--once", "--provision=verify", "--release=ORDERS", more))
            .as(out + err)
            .isZero();
        assertThat(err).isEmpty();
      }
      assertThat(admin.jetStreamManagement().getStreamInfo("ORDERS").getStreamState().getMsgCount())
          .isZero();
      assertThat(Files.readString(guarded.logFile())).doesNotContain("Violation");
    }
  }

  @Test
  void ends_with_a_sentence_when_it_is_refused_for_good() throws Exception {
    int port;
    CompletableFuture<Integer> guard;
    try (NatsServer first = NatsServer.builder().config(user("before")).start()) {
      port = first.port();
      guard =
          CompletableFuture.supplyAsync(
              () -> run("guard", "-s", first.url(), "--user", "guard", "--password", "before"));
      try (Connection admin = Contrail.connect("nats://guard:before@127.0.0.1:" + port)) {
        await()
            .atMost(DeadLetterPlace.SOON)
            .until(() -> guardsIn(admin.jetStreamManagement()) || guard.isDone());
      }
    }
    try (NatsServer second = NatsServer.builder().port(port).config(user("after")).start()) {
      assertThat(guard.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.NO_SERVER);
    }
    assertThat(err).contains("was closed for good");
  }

  private static String user(String password) {
    return "authorization { user: guard, password: " + password + " }";
  }

  private static boolean guardsIn(JetStreamManagement management) throws Exception {
    return management.getStreamNames().contains("CONTRAIL_ADVISORIES")
        && !management.getConsumerNames("CONTRAIL_ADVISORIES").isEmpty();
  }
}
