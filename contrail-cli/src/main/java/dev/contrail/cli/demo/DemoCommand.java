package dev.contrail.cli.demo;

import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Logs;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.server.NatsServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code contrail demo}: the first command a newcomer types. */
@Command(
    name = "demo",
    header = "See it at work: a server, orders, and every kind of failure",
    customSynopsis = "@|bold contrail demo|@ [--for 20s] [OPTIONS]",
    description =
        "Starts a nats-server of its own, publishes orders of which some are bound to fail, and"
            + " shows what becomes of them. Nothing outside of it is touched, and nothing is left.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail demo",
      "  contrail demo --for 20s",
      "  contrail demo --nats-server ~/bin/nats-server --rate 500"
    })
public final class DemoCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final BooleanSupplier json;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      converter = Length.class,
      description = "end by itself after this long, with a summary")
  private @Nullable Duration length;

  @Option(
      names = "--nats-server",
      paramLabel = "PATH",
      description = "the program to run (NATS_SERVER, else on the PATH, else installed)")
  private @Nullable Path program;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "100",
      converter = Rate.class,
      description = "orders a second (100)")
  private int rate = 100;

  public DemoCommand(Surroundings surroundings, BooleanSupplier json) {
    this.surroundings = surroundings;
    this.json = json;
  }

  @Override
  public Integer call() throws Exception {
    Logs.showNothing();
    Runtime.getRuntime().addShutdownHook(new Thread(this::endInOrder, "demo-end"));
    try {
      DemoServer servers = new DemoServer(surroundings);
      NatsServer server = servers.start(Optional.ofNullable(program));
      try {
        new DemoRun(surroundings, json.getAsBoolean(), Optional.ofNullable(length), stop)
            .on(server, rate);
      } finally {
        servers.end(server);
      }
      return ExitCode.FINE;
    } finally {
      ended.countDown();
    }
  }

  /** Ctrl-C: the demo says what became of everything before the process ends. */
  private void endInOrder() {
    stop.countDown();
    try {
      if (!ended.await(DemoRun.SETTLING.toSeconds() * 2, TimeUnit.SECONDS)) {
        surroundings.err().println("contrail: the demo did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static final class Length extends DurationValue {
    Length() {
      super(Duration.ofSeconds(1), Duration.ofDays(1));
    }
  }

  static final class Rate extends NumberValue {
    Rate() {
      super(1, 10_000);
    }
  }
}
