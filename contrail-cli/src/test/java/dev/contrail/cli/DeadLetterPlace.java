package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.Handler;
import dev.contrail.RejectedMessageException;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server with a stream ORDERS whose consumer billing gave up on messages, and the program. */
final class DeadLetterPlace implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(60);

  final NatsServer server;
  final Connection connection;
  final JetStreamManagement management;
  final Path folder;
  final Map<String, String> env = new HashMap<>();
  String out = "";
  String err = "";

  DeadLetterPlace(Path folder, RetentionPolicy retention) throws Exception {
    this(NatsServer.start(), folder, retention);
  }

  DeadLetterPlace(NatsServer server, Path folder, RetentionPolicy retention) throws Exception {
    this.server = server;
    this.folder = folder;
    this.connection = Contrail.connect(server.url());
    this.management = connection.jetStreamManagement();
    env.put("NATS_URL", server.url());
    env.put("XDG_CONFIG_HOME", folder.toString());
    management.addStream(
        StreamConfiguration.builder()
            .name("ORDERS")
            .subjects("orders.>")
            .retentionPolicy(retention)
            .build());
  }

  /** The oldest server and the newest there is. */
  static List<NatsServerBinary> servers() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  int run(String... args) {
    StringWriter outText = new StringWriter();
    StringWriter errText = new StringWriter();
    int exitCode =
        Program.run(
            new Surroundings(
                env,
                folder,
                folder,
                new PrintWriter(outText),
                new PrintWriter(errText),
                Terminal.none()),
            args);
    out = outText.toString();
    err = errText.toString();
    return exitCode;
  }

  /** The same as a process of its own. */
  Process start(Path output, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(env);
    return builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  JsonNode json() {
    return JsonMapper.shared().readTree(out);
  }

  ContrailConsumer worker(String name, Handler<byte[]> handler) {
    return Contrail.consumer(connection, "ORDERS", name)
        .ackWait(Duration.ofSeconds(2))
        .handler(handler)
        .start();
  }

  ContrailConsumer rejecting(String name) {
    return worker(
        name,
        delivery -> {
          throw new RejectedMessageException("told to");
        });
  }

  /** Publishes so many messages, all of which billing gives up on; returns their ids. */
  List<String> die(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      connection.jetStream().publish("orders.new", ("order " + i).getBytes(UTF_8));
    }
    try (ContrailConsumer rejecting = rejecting("billing")) {
      await().atMost(SOON).until(() -> rejecting.status().counts().dead() == count);
    }
    return entries().stream().map(entry -> entry.get("id").asString()).toList();
  }

  /** Has billing give up on one message that is there, of that. */
  void dieOf(RuntimeException failure) {
    try (ContrailConsumer failing =
        worker(
            "billing",
            delivery -> {
              throw failure;
            })) {
      await().atMost(SOON).until(() -> failing.status().counts().dead() == 1);
    }
  }

  List<JsonNode> entries() {
    assertThat(run("dlq", "ls", "--json")).as(err).isZero();
    List<JsonNode> entries = new ArrayList<>();
    json().forEach(entries::add);
    return entries;
  }

  String fingerprint() {
    return entries().get(0).get("fingerprint").asString();
  }

  /** The sum of what was ever published to the stream. */
  long published() throws Exception {
    return management.getStreamInfo("ORDERS").getStreamState().getLastSequence();
  }

  @Override
  public void close() throws Exception {
    connection.close();
    server.close();
  }
}
