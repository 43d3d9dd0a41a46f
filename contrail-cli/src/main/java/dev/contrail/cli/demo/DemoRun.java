package dev.contrail.cli.demo;

import dev.contrail.JsonCodec;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.DeadLetters;
import dev.contrail.policy.Backoff;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Customers, a worker, and somebody who watches both, on a server of their own. */
final class DemoRun {
  /** How long what runs may take to finish at the end. */
  static final Duration SETTLING = Duration.ofSeconds(5);

  private static final Duration FRAME = Duration.ofMillis(500);
  private static final Duration LINE = Duration.ofSeconds(5);

  private final Surroundings surroundings;
  private final boolean json;
  private final Optional<Duration> length;
  private final CountDownLatch stop;
  private final DemoScreen screen;

  /**
   * @param length after which it ends by itself
   * @param stop ends it
   */
  DemoRun(Surroundings surroundings, boolean json, Optional<Duration> length, CountDownLatch stop) {
    this.surroundings = surroundings;
    this.json = json;
    this.length = length;
    this.stop = stop;
    this.screen = new DemoScreen(surroundings);
  }

  /**
   * Runs to the end.
   *
   * @param rate orders a second
   * @throws CommandFailure when the server ends before that
   */
  void on(NatsServer server, int rate) throws Exception {
    try {
      work(server, rate);
    } catch (Exception e) {
      if (server.isRunning()) {
        throw e;
      }
      screen.leaveLine();
      throw CommandFailure.failed(
          "the nats-server of this demo ended; its log is " + server.logFile(), e);
    }
  }

  private void work(NatsServer server, int rate) throws Exception {
    try (Connection connection = Contrail.connect(server.url())) {
      connection
          .jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name(DemoStreams.ORDERS)
                  .subjects("orders.>")
                  .retentionPolicy(RetentionPolicy.WorkQueue)
                  .build());
      try (OrderPublisher customers = new OrderPublisher(connection, rate, new Random());
          ContrailConsumer billing = billing(connection);
          DemoConsole console = DemoConsole.start(connection, server.url());
          Courier courier = new Courier(connection)) {
        if (!json) {
          screen.introduce(
              server.url(), server.version().toString(), console.address(), length.isPresent());
        }
        customers.start();
        courier.start();
        Duration elapsed = watch(server, connection, customers, billing);
        customers.close();
        courier.close();
        billing.close();
        summarize(elapsed, connection, customers, billing);
      }
    }
  }

  private static ContrailConsumer billing(Connection connection) {
    return Contrail.consumer(connection, DemoStreams.ORDERS, "billing")
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

  /** Shows how far it has come until it is to end; returns how long that took. */
  private Duration watch(
      NatsServer server, Connection connection, OrderPublisher customers, ContrailConsumer billing)
      throws Exception {
    long started = System.nanoTime();
    Duration frame = screen.isLive() ? FRAME : LINE;
    Duration elapsed = Duration.ZERO;
    while (!stop.await(untilNextLook(frame, elapsed).toNanos(), TimeUnit.NANOSECONDS)) {
      elapsed = Duration.ofNanos(System.nanoTime() - started);
      if (!server.isRunning()) {
        throw new IllegalStateException("process " + server.pid() + " is gone");
      }
      if (length.isPresent() && elapsed.compareTo(length.get()) >= 0) {
        break;
      }
      if (!json) {
        screen.show(
            elapsed,
            DemoProgress.of(
                customers.published(), billing.status().counts(), DemoStreams.of(connection)));
      }
    }
    return Duration.ofNanos(System.nanoTime() - started);
  }

  private Duration untilNextLook(Duration frame, Duration elapsed) {
    return length
        .map(whole -> whole.minus(elapsed))
        .filter(rest -> rest.compareTo(frame) < 0)
        .orElse(frame);
  }

  private void summarize(
      Duration elapsed, Connection connection, OrderPublisher customers, ContrailConsumer billing)
      throws Exception {
    List<DeadLetterSummary> dead =
        new DeadLetters(connection, JetStreamOptions.defaultOptions(), Names.DEFAULT)
            .list(Optional.empty(), Optional.empty())
            .entries();
    DemoTally tally =
        DemoTally.of(
            customers.published(),
            billing.status().counts(),
            dead,
            DemoStreams.of(connection).waiting());
    if (json) {
      Json.write(surroundings.out(), tally);
    } else {
      screen.summarize(Duration.ofSeconds(elapsed.toSeconds()), tally, dead);
    }
  }
}
