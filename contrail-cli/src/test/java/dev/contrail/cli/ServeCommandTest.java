package dev.contrail.cli;

import static dev.contrail.cli.DeadLetterPlace.SOON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ServeCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("dev.contrail.cli.DeadLetterPlace#servers")
  void it_tells_what_happens_and_ends_in_order(NatsServerBinary binary) throws Exception {
    NatsServer server = NatsServer.builder().binary(binary).start();
    try (DeadLetterPlace place = new DeadLetterPlace(server, folder, RetentionPolicy.WorkQueue)) {
      addConsumer(place, "ORDERS", "orders.new");
      place.management.addStream(
          StreamConfiguration.builder()
              .name("JOBS")
              .subjects("jobs.>")
              .retentionPolicy(RetentionPolicy.WorkQueue)
              .build());
      addConsumer(place, "JOBS", "jobs.new");
      Path output = folder.resolve("serve.log");
      Process program =
          place.start(
              output,
              "serve",
              "--json",
              "--port",
              "0",
              "--release",
              "JOBS",
              "--orphans-every",
              "1s",
              "--doctor-every",
              "1s",
              "--over",
              "0s");
      try (ServeWatch serve = new ServeWatch(program, output)) {
        assertThat(serve.serving().get("release").asString()).isEqualTo("JOBS");
        await().atMost(SOON).until(() -> serve.status("/readyz") == 200);

        exhaust(place, "ORDERS", "orders.new", "secret-1");
        exhaust(place, "JOBS", "jobs.new", "secret-2");
        place.connection.jetStream().publish("orders.lost", "secret-3".getBytes(UTF_8));

        serve.first("guard.released");
        JsonNode dead = serve.first("dead-letter", "stream", "ORDERS");
        assertThat(dead.get("sequence").asLong()).isEqualTo(1);
        assertThat(dead.get("consumer").asString()).isEqualTo("billing");
        assertThat(dead.get("id").asString()).startsWith("ORDERS.billing.").endsWith(".1");
        assertThat(dead.get("reason").asString()).isEqualTo("exhausted");
        serve.first("orphans.appeared", "class", "unclaimed");
        serve.first("finding.appeared", "code", "CT020");
        place.management.purgeStream(
            "ORDERS", PurgeOptions.builder().subject("orders.lost").build());
        serve.first("orphans.gone", "class", "unclaimed");
        serve.first("finding.gone", "code", "CT020");
        assertThat(serve.get("/metrics"))
            .contains("contrail_dead_letters_open{reason=\"exhausted\",stream=\"ORDERS\"} 1.0")
            .contains("contrail_guard_released_total 1.0");
        assertThat(stored(place, "ORDERS")).as("it was not named").isEqualTo(1);
        assertThat(stored(place, "JOBS")).isZero();
        assertThat(serve.events("finding.appeared", "code", "CT020"))
            .as("told once, not on every run")
            .hasSize(1);

        program.destroy();
        assertThat(program.waitFor(30, TimeUnit.SECONDS)).as("it ends").isTrue();
        assertThat(program.exitValue()).isZero();
        List<JsonNode> all = serve.events();
        assertThat(all.get(all.size() - 1).get("event").asString()).isEqualTo("stopping");
        assertThat(Files.readString(output)).as("no payload").doesNotContain("secret");
        assertThat(leader(place)).as("the lease is given back").isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"flags", "variables", "file"})
  void its_guard_looks_where_it_is_told(String how) throws Exception {
    try (DeadLetterPlace place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue)) {
      addConsumer(place, "ORDERS", "orders.new");
      List<String> streams = List.of("JOBS", "JOBS-test", "CONTRAIL_JOBS");
      for (String stream : streams) {
        place.management.addStream(
            StreamConfiguration.builder()
                .name(stream)
                .subjects(stream + ".>")
                .retentionPolicy(RetentionPolicy.WorkQueue)
                .build());
        addConsumer(place, stream, stream + ".new");
      }
      List<String> arguments = new ArrayList<>(List.of("serve", "--json", "--port", "0"));
      switch (how) {
        case "flags" -> {
          arguments.addAll(List.of("--streams", "JOBS*", "CONTRAIL_*", "--exclude", "*-test"));
          arguments.addAll(List.of("--release-all", "--sweep-every", "10s", "--from-start"));
        }
        case "variables" -> {
          place.env.put("CONTRAIL_SERVE_STREAMS", "JOBS*,CONTRAIL_*");
          place.env.put("CONTRAIL_SERVE_EXCLUDE", "*-test");
          place.env.put("CONTRAIL_SERVE_RELEASE_ALL", "true");
          place.env.put("CONTRAIL_SERVE_SWEEP_EVERY", "10s");
          place.env.put("CONTRAIL_SERVE_FROM_START", "true");
        }
        default ->
            Files.writeString(
                folder.resolve("contrail.yaml"),
                """
                serve:
                  streams: [JOBS*, CONTRAIL_*]
                  exclude: "*-test"
                  release-all: true
                  sweep-every: 10s
                  from-start: true
                """);
      }
      Path output = folder.resolve("serve.log");
      Process program = place.start(output, arguments.toArray(String[]::new));
      try (ServeWatch serve = new ServeWatch(program, output)) {
        assertThat(serve.serving().get("guards").asString()).isEqualTo("JOBS*,CONTRAIL_*");
        assertThat(serve.serving().get("exclude").asString()).isEqualTo("*-test");
        assertThat(serve.serving().get("sweep_every").asString()).isEqualTo("10s");
        await().atMost(SOON).until(() -> serve.status("/readyz") == 200);

        exhaust(place, "ORDERS", "orders.new", "1");
        exhaust(place, "JOBS-test", "JOBS-test.new", "1");
        exhaust(place, "CONTRAIL_JOBS", "CONTRAIL_JOBS.new", "1");
        exhaust(place, "JOBS", "JOBS.new", "1");

        serve.first("guard.released", "stream", "CONTRAIL_JOBS");
        serve.first("guard.released", "stream", "JOBS");
        // Advisories are worked off in order, so those before were seen and left.
        await()
            .atMost(SOON)
            .until(() -> serve.get("/metrics").contains("contrail_guard_advisories_total 4.0"));
        assertThat(stored(place, "ORDERS")).isEqualTo(1);
        assertThat(stored(place, "JOBS-test")).isEqualTo(1);
        assertThat(stored(place, "CONTRAIL_DLQ")).isEqualTo(2);
      }
    }
  }

  @Test
  void it_ends_in_time_while_the_server_is_away() throws Exception {
    try (DeadLetterPlace place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue)) {
      Path output = folder.resolve("serve.log");
      Process program = place.start(output, "serve", "--port", "0");
      try {
        await()
            .atMost(SOON)
            .until(() -> Files.readString(output).contains(" event=guard.leading\n"));
        place.server.stop();
        await()
            .atMost(SOON)
            .until(() -> Files.readString(output).contains(" event=nats.disconnected "));

        long began = System.nanoTime();
        program.destroy();

        assertThat(program.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(25));
        assertThat(program.exitValue()).as(Files.readString(output)).isZero();
        assertThat(Files.readString(output).lines())
            .as("every line is one of fields")
            .allMatch(line -> line.startsWith("time="));
      } finally {
        program.destroyForcibly();
      }
    }
  }

  @Test
  void a_port_that_is_taken_is_one_sentence_and_nothing_begins() throws Exception {
    try (DeadLetterPlace place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue);
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path output = folder.resolve("serve.log");
      Process program = place.start(output, "serve", "--port", "" + taken.getLocalPort());
      try {
        assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue()).isEqualTo(1);
        assertThat(Files.readString(output))
            .isEqualTo(
                "contrail: port "
                    + taken.getLocalPort()
                    + " of 127.0.0.1 is taken by another program; choose another with --port, 0 for"
                    + " any that is free\n");
        assertThat(place.management.getStreamNames()).containsExactly("ORDERS");
      } finally {
        program.destroyForcibly();
      }
    }
  }

  @Test
  void what_it_needs_and_may_not_make_is_said() throws Exception {
    try (DeadLetterPlace place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue)) {
      Path output = folder.resolve("serve.log");
      Process program = place.start(output, "serve", "--port", "0", "--provision", "verify");
      try {
        assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue()).isEqualTo(1);
        assertThat(Files.readString(output)).contains("CONTRAIL_DLQ").contains("contrail: ");
      } finally {
        program.destroyForcibly();
      }
    }
  }

  @Nested
  class BadOptions extends CommandTest {
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "192.0.2.1", "::", "[2001:db8::1]"})
    void an_address_that_others_reach_is_refused(String address) {
      assertThat(run("serve", "--bind", address)).isEqualTo(2);
      assertThat(err)
          .startsWith("contrail: --bind ")
          .contains("would let others ask", "--tls-cert", "--unprotected")
          .hasLineCount(1);
    }

    @Test
    void with_leave_or_on_this_machine_it_goes_on_to_the_server() {
      for (List<String> options :
          List.of(
              List.of("--bind", "0.0.0.0", "--unprotected"),
              List.of("--bind", "::1"),
              List.of("--bind", "localhost"),
              List.of("--bind", "127.0.0.2"))) {
        List<String> all = new ArrayList<>(List.of("serve", "-s", "nats://127.0.0.1:1"));
        all.addAll(options);
        assertThat(run(all.toArray(String[]::new))).as("%s: %s", options, err).isEqualTo(3);
      }
    }

    @Test
    void what_cannot_be_read_is_said_in_a_sentence() {
      assertThat(run("serve", "--bind", "everywhere")).isEqualTo(2);
      assertThat(err)
          .contains(
              "--bind", "'everywhere' is no address; accepted are IP addresses and localhost");
      assertThat(run("serve", "--bind", "300.1.1.1")).isEqualTo(2);
      assertThat(err).contains("'300.1.1.1' is no address");
      assertThat(run("serve", "--port", "65536")).isEqualTo(2);
      assertThat(err).contains("--port", "'65536' is out of range; accepted is 0 to 65535");
      assertThat(run("serve", "--doctor-every", "0s")).isEqualTo(2);
      assertThat(err).contains("--doctor-every", "accepted is 1s to 1d");
      assertThat(run("serve", "--skip", "CT999")).isEqualTo(2);
      assertThat(err).contains("'CT999' is no code of a rule");
      assertThat(run("serve", "--release", "ORDERS", "--release-all")).isEqualTo(2);
      assertThat(err).contains("--release", "--release-all");
      assertThat(run("serve", "--release", "CONTRAIL_DLQ")).isEqualTo(2);
      assertThat(err).contains("'CONTRAIL_DLQ' is Contrail's own");
      assertThat(run("serve", "--release", "ORDERS", "--exclude", "ORD*")).isEqualTo(2);
      assertThat(err).contains("'ORDERS' is Contrail's own or left out");
      assertThat(run("serve", "--streams", "a.b")).isEqualTo(2);
      assertThat(err).contains("--streams", "'a.b' names no stream; accepted are names like");
      assertThat(run("serve", "--sweep-every", "1s")).isEqualTo(2);
      assertThat(err).contains("--sweep-every", "'1s' is out of range; accepted is 10s to 30d");
      assertThat(run("serve", "ORDERS")).isEqualTo(2);
    }

    @Test
    void a_url_for_notices_is_checked_and_never_repeated() throws Exception {
      for (String url :
          List.of(
              "chat.example/S3CRET",
              "ftp://chat.example/S3CRET",
              "https://S3CRET x",
              "http:/S3CRET")) {
        assertThat(run("serve", "--notify-url", url)).as(url).isEqualTo(2);
        assertThat(err)
            .contains("--notify-url", "that is no URL to post to; accepted are such as https://")
            .doesNotContain("S3CRET")
            .hasLineCount(1);
      }
      assertThat(run("serve", "--notify-secret-file", "none")).isEqualTo(2);
      assertThat(err).contains("--notify-secret-file signs what --notify-url sends; give both");
      String url = "https://chat.example/";
      assertThat(run("serve", "--notify-url", url, "--notify-secret-file", "none")).isEqualTo(2);
      assertThat(err).contains("--notify-secret-file: none cannot be read");
      Path secret = Files.writeString(folder.resolve("secret"), "short\n");
      assertThat(run("serve", "--notify-url", url, "--notify-secret-file", secret.toString()))
          .isEqualTo(2);
      assertThat(err).contains("holds 5 characters; accepted are 16 to 4096");
    }

    @Test
    void variables_set_it_too() {
      env.put("CONTRAIL_SERVE_BIND", "0.0.0.0");
      assertThat(run("serve")).isEqualTo(2);
      assertThat(err).contains("--unprotected");
    }
  }

  private static void addConsumer(DeadLetterPlace place, String stream, String filter)
      throws Exception {
    place.management.addOrUpdateConsumer(
        stream,
        ConsumerConfiguration.builder()
            .durable("billing")
            .filterSubject(filter)
            .maxDeliver(1)
            .build());
  }

  private static void exhaust(DeadLetterPlace place, String stream, String subject, String payload)
      throws Exception {
    place.connection.jetStream().publish(subject, payload.getBytes(UTF_8));
    JetStreamSubscription pull =
        place.connection.jetStream().subscribe(null, PullSubscribeOptions.bind(stream, "billing"));
    pull.fetch(1, Duration.ofSeconds(10)).forEach(Message::nak);
    place.connection.flush(SOON);
    // Older servers say that they give up on a message when they are asked for the next.
    pull.fetch(1, Duration.ofMillis(100));
    pull.unsubscribe();
  }

  private static long stored(DeadLetterPlace place, String stream) throws Exception {
    return place.management.getStreamInfo(stream).getStreamState().getMsgCount();
  }

  private static boolean leader(DeadLetterPlace place) throws Exception {
    var entry = place.connection.keyValue("CONTRAIL_LEASES").get("guard");
    return entry != null && entry.getValue() != null;
  }
}
