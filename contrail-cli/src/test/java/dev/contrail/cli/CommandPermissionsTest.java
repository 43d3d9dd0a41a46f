package dev.contrail.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RejectedMessageException;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.permissions.CommandPermissions;
import dev.contrail.operations.permissions.Permission;
import dev.contrail.operations.permissions.Place;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Each command as a user that may do what the documents list for it, and one thing less. */
class CommandPermissionsTest extends CommandTest {
  private static final Place PLACE =
      new Place(Names.DEFAULT, "ORDERS", "billing", "orders.new", "unclaimed.orders", "UNCLAIMED");
  private static final int DEAD = 120;

  private final Map<String, CommandPermissions> users = new LinkedHashMap<>();
  private final Deque<String> ids = new ArrayDeque<>();

  @SuppressWarnings("NullAway.Init") // opened by each test
  private NatsServer server;

  @SuppressWarnings("NullAway.Init") // opened by each test
  private Connection admin;

  /** One server that knows a user for each command, and one for each permission taken away. */
  private void open(boolean oneLess) throws Exception {
    StringBuilder config = new StringBuilder("{ user: admin, password: secret }\n");
    for (CommandPermissions command : CommandPermissions.all(PLACE)) {
      users.put("u" + users.size(), command);
      if (oneLess) {
        command.needs().stream()
            .filter(need -> need.without().isEmpty())
            .forEach(need -> users.put("u" + users.size(), command.without(need)));
      }
    }
    users.forEach(
        (name, command) ->
            config.append(
                "{ user: %s, password: secret\n%s }\n"
                    .formatted(name, command.permissions().config())));
    server = NatsServer.builder().config("authorization { users: [\n" + config + "] }\n").start();
    admin = Contrail.connect(Contrail.options(server.url()).userInfo("admin", "secret").build());
    stream("ORDERS", "orders.>");
    stream("UNCLAIMED", "unclaimed.>");
    env.put("NATS_URL", server.url());
    assertThat(run("init", "--user", "admin", "--password", "secret")).as(err).isZero();
    die();
  }

  @AfterEach
  void close() throws Exception {
    admin.close();
    server.close();
  }

  @Test
  void what_is_listed_is_enough() throws Exception {
    open(false);
    users.forEach(
        (user, command) -> {
          prepare(command);
          String before = violations();
          assertThat(run(as(user, command, "5s"))).as("%s: %s", command.command(), err).isZero();
          assertThat(violations()).as(command.command()).isEqualTo(before);
        });
  }

  @Test
  void without_any_one_of_them_the_command_fails_in_one_sentence() throws Exception {
    open(true);
    List<String> wrong = new ArrayList<>();
    Map<String, CommandPermissions> whole = new LinkedHashMap<>();
    CommandPermissions.all(PLACE).forEach(command -> whole.put(command.command(), command));
    users.forEach(
        (user, command) -> {
          List<Permission> missing =
              new ArrayList<>(requireNonNull(whole.get(command.command())).needs());
          missing.removeAll(command.needs());
          if (missing.isEmpty()) {
            return;
          }
          prepare(command);
          int exit = run(as(user, command, "1s"));
          boolean oneSentence =
              err.lines().filter(line -> line.startsWith("contrail: ")).count() >= 1
                  && !err.contains("\tat ");
          if (exit == 0 || !oneSentence) {
            wrong.add(command.command() + " without " + missing + ": " + exit + " " + err.strip());
          }
        });
    assertThat(wrong).isEmpty();
  }

  private String[] as(String user, CommandPermissions command, String timeout) {
    List<String> args = new ArrayList<>(arguments(command.command()));
    args.addAll(List.of("--user", user, "--password", "secret", "--timeout", timeout));
    return args.toArray(String[]::new);
  }

  private List<String> arguments(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
    words.addAll(
        switch (command) {
          case "publish" -> List.of("orders.new", "x", "--retry-for", "2s");
          case "publish --fallback" -> List.of("unclaimed.orders", "orders.new", "x");
          case "dlq show" -> List.of(ids.peek());
          case "dlq note" -> List.of(ids.pop(), "text");
          case "dlq discard" -> List.of(ids.pop(), "--because", "test", "--yes");
          case "dlq restore" -> List.of(ids.pop(), "--yes");
          case "dlq replay" -> List.of(ids.pop(), "--yes");
          case "dlq purge" -> List.of("--older-than", "0s", "--yes");
          case "ledger show" -> List.of("ORDERS", "billing");
          default -> List.of();
        });
    return words;
  }

  /** What the command is to be done to. */
  private void prepare(CommandPermissions command) {
    if (command.command().equals("dlq restore")) {
      discard(ids.peek());
    } else if (command.command().equals("dlq purge")) {
      discard(ids.pop());
    }
  }

  private void discard(String id) {
    String[] discard = {
      "dlq", "discard", id, "--because", "test", "--yes", "--user", "admin", "--password", "secret"
    };
    assertThat(run(discard)).as(err).isZero();
  }

  private void die() throws Exception {
    for (int i = 0; i < DEAD; i++) {
      admin.jetStream().publish("orders.new", ("order " + i).getBytes(StandardCharsets.UTF_8));
    }
    try (ContrailConsumer rejecting =
        Contrail.consumer(admin, "ORDERS", "billing")
            .handler(
                delivery -> {
                  throw new RejectedMessageException("told to");
                })
            .start()) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> rejecting.status().counts().dead() == DEAD);
    }
    String[] list = {
      "dlq", "ls", "--json", "--limit", "1000", "--user", "admin", "--password", "secret"
    };
    assertThat(run(list)).as(err).isZero();
    JsonMapper.shared().readTree(out).forEach(entry -> ids.add(entry.get("id").asString()));
  }

  private void stream(String name, String subjects) throws Exception {
    admin
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name(name).subjects(subjects).build());
  }

  private String violations() {
    try {
      StringBuilder found = new StringBuilder();
      Pattern.compile(".*Violation.*")
          .matcher(Files.readString(server.logFile()))
          .results()
          .forEach(line -> found.append(line.group()).append('\n'));
      return found.toString();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
