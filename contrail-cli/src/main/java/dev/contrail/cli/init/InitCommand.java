package dev.contrail.cli.init;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Table;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.WorkerPermissions;
import dev.contrail.operations.permissions.CommandPermissions;
import dev.contrail.operations.permissions.Place;
import io.nats.client.JetStreamOptions;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code contrail init}. */
@Command(
    name = "init",
    header = "Create what Contrail needs on the server, or print how to",
    customSynopsis = "@|bold contrail init|@ [--print] [OPTIONS]",
    description =
        "Creates the streams and buckets in which Contrail keeps its state. What is there already is"
            + " checked and never altered.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail init",
      "  contrail init --replicas 3 --context prod",
      "  contrail init --print                                    for an administrator",
      "  contrail init --print --stream ORDERS --consumer billing with a worker's permissions",
      "  contrail init --print --command 'dlq replay' --stream ORDERS"
    })
public final class InitCommand implements Callable<Integer> {
  private static final String ANY_INBOX = "_INBOX";

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final StorageOptions storage;
  private final BooleanSupplier json;

  @Option(
      names = "--print",
      fallbackValue = "true",
      description = "print the nats commands and the permissions instead; needs no server")
  private boolean print;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      converter = Replicas.class,
      description = "how many servers keep each (3 in a cluster of three or more, else 1)")
  private @Nullable Integer replicas;

  @Option(
      names = "--stream",
      paramLabel = "STREAM",
      defaultValue = "STREAM",
      converter = NatsNames.Name.class,
      description = "with --print: the stream in the permissions")
  private String stream = "STREAM";

  @Option(
      names = "--consumer",
      paramLabel = "CONSUMER",
      defaultValue = "CONSUMER",
      converter = NatsNames.Name.class,
      description = "with --print: the consumer in the permissions")
  private String consumer = "CONSUMER";

  @Option(
      names = "--command",
      paramLabel = "COMMAND",
      description =
          "with --print: the permissions of this command alone, such as 'dlq ls' or 'orphans reap"
              + " --to'")
  private @Nullable String command;

  public InitCommand(
      Surroundings surroundings,
      Supplier<Session> sessions,
      StorageOptions storage,
      BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.storage = storage;
    this.json = json;
  }

  @Override
  public Integer call() {
    Names names = new Names(storage.prefix());
    InitPlan usual = InitPlan.of(names);
    InitPlan plan = replicas == null ? usual : usual.withReplicas(replicas);
    if (command != null && !print) {
      throw CommandFailure.usage("--command is for --print, which prints permissions");
    }
    if (command != null) {
      print(names, command);
    } else if (print) {
      print(plan);
    } else {
      create(plan);
    }
    surroundings.out().flush();
    return ExitCode.FINE;
  }

  private void create(InitPlan plan) {
    Set<Store> created;
    try (Session session = sessions.get()) {
      created =
          new Provisioning(session.connection(), session.jetStream(), plan, storage.provision())
              .ensure(EnumSet.allOf(Store.class));
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    Table table = new Table().wholeColumn("STREAM").wholeColumn("STATE").column("HOLDS");
    for (Store store : Store.values()) {
      String name = store.stream(plan.names());
      String state = created.contains(store) ? "created" : "there";
      table.row(name, state, store.purpose());
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("stream", name);
      row.put("state", state);
      rows.add(row);
    }
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), rows);
    } else {
      surroundings.out().print(table.render(surroundings.terminal()));
    }
  }

  private void print(InitPlan plan) {
    WorkerPermissions permissions =
        WorkerPermissions.of(
            plan.names(),
            stream,
            consumer,
            Provision.VERIFY,
            JetStreamOptions.defaultOptions(),
            ANY_INBOX);
    PrintWriter out = surroundings.out();
    if (json.getAsBoolean()) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("commands", plan.commands());
      all.put("workerPublish", permissions.publish());
      all.put("workerSubscribe", permissions.subscribe());
      Json.write(out, all);
      return;
    }
    out.println("# What Contrail needs on the server:");
    plan.commands().forEach(out::println);
    out.println();
    out.println(
        "# What a worker of consumer "
            + consumer
            + " on stream "
            + stream
            + " needs once these and the consumer exist (--provision verify):");
    out.print(permissions.config());
  }

  private void print(Names names, String asked) {
    Place any = Place.example(names);
    Place place =
        new Place(
            names,
            stream,
            consumer,
            any.subject(),
            any.target(),
            any.targetStream(),
            any.oldStream());
    CommandPermissions permissions =
        CommandPermissions.of(asked, place)
            .orElseThrow(
                () ->
                    CommandFailure.usage(
                        "--command '"
                            + asked
                            + "' is unknown; accepted are "
                            + CommandPermissions.all(place).stream()
                                .map(CommandPermissions::command)
                                .collect(Collectors.joining(", "))));
    if (json.getAsBoolean()) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("command", asked);
      all.put("publish", permissions.publish());
      all.put("subscribe", permissions.subscribe());
      Json.write(surroundings.out(), all);
    } else {
      surroundings.out().print(permissions.config());
    }
  }

  static final class Replicas extends NumberValue {
    Replicas() {
      super(1, 5);
    }
  }
}
