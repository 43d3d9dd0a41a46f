package dev.contrail.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.bench.report.GuardSize;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.guard.Guard;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.guard.GuardStatus;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Measures how fast a guard dead-letters and releases what a consumer has given up on. */
final class GuardBench {
  private static final Names NAMES = new Names("contrail_bench");
  private static final String STREAM = "BENCH_GUARDED";
  private static final String SUBJECT = "bench_guarded";
  private static final String CONSUMER = "strict";
  private static final int FETCHED_AT_ONCE = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final BenchServer server;
  private final int exhausted;

  GuardBench(BenchServer server, int exhausted) {
    this.server = server;
    this.exhausted = exhausted;
  }

  GuardSize run() throws InterruptedException {
    try (Connection connection = server.connections().get()) {
      prepare(connection);
      GuardOptions options =
          GuardOptions.DEFAULT
              .withStreams(List.of(STREAM))
              .withRelease(GuardOptions.Release.of(Set.of(STREAM)));
      long started = System.nanoTime();
      GuardStatus status =
          Guard.once(connection, server.jetStream(), NAMES, options, event -> {}, () -> false);
      double seconds = (System.nanoTime() - started) / (double) TimeUnit.SECONDS.toNanos(1);
      long left = stored(connection);
      if (status.buried() != exhausted || left != 0) {
        throw new BenchException(
            "the guard buried " + status.buried() + " of " + exhausted + " and left " + left);
      }
      return new GuardSize(exhausted, Math.round(seconds * 100) / 100.0);
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("a guard cannot be measured: " + e.getMessage(), e);
    }
  }

  private long stored(Connection connection) throws IOException, JetStreamApiException {
    return connection
        .jetStreamManagement(server.jetStream())
        .getStreamInfo(STREAM)
        .getStreamState()
        .getMsgCount();
  }

  private void prepare(Connection connection)
      throws IOException, JetStreamApiException, InterruptedException {
    // The advisories are captured from here on.
    new Provisioning(connection, server.jetStream(), InitPlan.of(NAMES), Provision.CREATE)
        .ensure(List.of(Store.values()));
    JetStreamManagement management = connection.jetStreamManagement(server.jetStream());
    management.addStream(
        StreamConfiguration.builder()
            .name(STREAM)
            .subjects(SUBJECT)
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .build());
    management.addOrUpdateConsumer(
        STREAM,
        ConsumerConfiguration.builder()
            .durable(CONSUMER)
            .maxDeliver(1)
            .maxAckPending(exhausted)
            .build());
    Pipeline pipeline = new Pipeline();
    for (int i = 0; i < exhausted; i++) {
      pipeline.add(
          connection
              .jetStream(server.jetStream())
              .publishAsync(SUBJECT, ("order " + i).getBytes(UTF_8)));
    }
    pipeline.join();
    exhaust(connection, management);
  }

  private void exhaust(Connection connection, JetStreamManagement management)
      throws IOException, JetStreamApiException {
    JetStreamSubscription pull =
        connection
            .jetStream(server.jetStream())
            .subscribe(null, PullSubscribeOptions.bind(STREAM, CONSUMER));
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean given = false;
    while (!given) {
      if (System.nanoTime() > end) {
        throw new BenchException("the server did not give up on all messages");
      }
      // A NAK at the limit is noticed with the next pull.
      pull.fetch(FETCHED_AT_ONCE, Duration.ofMillis(500)).forEach(Message::nak);
      var info = management.getConsumerInfo(STREAM, CONSUMER);
      given = info.getNumPending() == 0 && info.getNumAckPending() == 0;
    }
  }
}
