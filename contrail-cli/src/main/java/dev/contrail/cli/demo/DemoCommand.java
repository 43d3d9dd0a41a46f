package dev.contrail.cli.demo;

import dev.contrail.JsonCodec;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Logs;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.DeadLetterFilter;
import dev.contrail.operations.DeadLetters;
import dev.contrail.policy.Backoff;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
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
  private static final String STREAM = "ORDERS";
  private static final Duration FRAME = Duration.ofMillis(500);
  private static final Duration LINE = Duration.ofSeconds(5);
  private static final Duration SETTLING = Duration.ofSeconds(5);

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
    DemoServer servers = new DemoServer(surroundings);
    try {
      NatsServer server = servers.start(Optional.ofNullable(program));
      try {
        run(server);
      } finally {
        servers.delete(server);
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
      if (!ended.await(SETTLING.toSeconds() * 2, TimeUnit.SECONDS)) {
        surroundings.err().println("contrail: the demo did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(NatsServer server) throws Exception {
    DemoScreen screen = new DemoScreen(surroundings);
    try (Connection connection = Contrail.connect(server.url())) {
      connection
          .jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name(STREAM)
                  .subjects("orders.>")
                  .retentionPolicy(RetentionPolicy.WorkQueue)
                  .build());
      OrderPublisher publisher = new OrderPublisher(connection, rate, new Random());
      ContrailConsumer billing = billing(connection);
      try {
        if (!json.getAsBoolean()) {
          screen.introduce(server.url(), server.version().toString(), length != null);
        }
        publisher.start();
        watch(connection, publisher, billing, screen);
      } finally {
        publisher.close();
        billing.close();
      }
    }
  }

  private static ContrailConsumer billing(Connection connection) {
    return Contrail.consumer(connection, STREAM, "billing")
        .retry(
            RetryPolicy.DEFAULT
                .withDeliveryLimit(5)
                .withBackoff(new Backoff(Duration.ofMillis(250), 2, Duration.ofSeconds(2)))
                .withUndecodable(3, Duration.ofSeconds(1)))
        .appVersion("demo")
        .drainTimeout(SETTLING)
        .codec(JsonCodec.of(Order.class))
        .handler(new Billing())
        .start();
  }

  private void watch(
      Connection connection, OrderPublisher publisher, ContrailConsumer billing, DemoScreen screen)
      throws Exception {
    long started = System.nanoTime();
    long ends = length == null ? Long.MAX_VALUE : length.toNanos();
    Duration frame = screen.isLive() ? FRAME : LINE;
    while (true) {
      long elapsed = System.nanoTime() - started;
      long rest = Math.min(frame.toNanos(), ends - elapsed);
      if (rest <= 0 || stop.await(rest, TimeUnit.NANOSECONDS)) {
        break;
      }
      if (!json.getAsBoolean()) {
        screen.show(
            Duration.ofNanos(System.nanoTime() - started),
            tally(connection, publisher, billing, deadLetters(connection)));
      }
    }
    publisher.close();
    Duration elapsed = Duration.ofSeconds((System.nanoTime() - started) / 1_000_000_000);
    billing.close();
    List<DeadLetterSummary> dead = deadLetters(connection);
    DemoTally tally = tally(connection, publisher, billing, dead);
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), tally);
    } else {
      screen.summarize(elapsed, tally, dead);
    }
  }

  private static List<DeadLetterSummary> deadLetters(Connection connection)
      throws InterruptedException {
    return new DeadLetters(connection, JetStreamOptions.defaultOptions(), Names.DEFAULT)
        .list(DeadLetterFilter.ALL)
        .entries();
  }

  private static DemoTally tally(
      Connection connection,
      OrderPublisher publisher,
      ContrailConsumer billing,
      List<DeadLetterSummary> dead)
      throws IOException, JetStreamApiException {
    JetStreamManagement management = connection.jetStreamManagement();
    long waiting = management.getStreamInfo(STREAM).getStreamState().getMsgCount();
    return DemoTally.of(publisher.published(), billing.status(), dead, waiting);
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
