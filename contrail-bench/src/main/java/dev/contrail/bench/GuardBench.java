package dev.contrail.bench;

import dev.contrail.bench.report.GuardReport;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.guard.Guard;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.guard.GuardStatus;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.PublishAck;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Measures how long a guard takes to dead-letter and release what a consumer gave up on, on a
 * server of its own.
 */
public final class GuardBench {
  private static final Names NAMES = new Names("contrail_bench");
  private static final String STREAM = "BENCH_GUARDED";
  private static final String CONSUMER = "billing";
  private static final int UNDER_WAY = 1_000;
  private static final Duration PULL = Duration.ofMillis(200);

  private final BenchServer server;
  private final int messages;

  /**
   * The bench.
   *
   * @param messages how many are given up on
   */
  public GuardBench(BenchServer server, int messages) {
    this.server = server;
    this.messages = messages;
  }

  /**
   * Measures.
   *
   * @throws BenchException when it cannot go on
   */
  public GuardReport run() throws InterruptedException {
    try (Connection connection = server.connections().get()) {
      new Provisioning(connection, server.jetStream(), InitPlan.of(NAMES), Provision.CREATE)
          .ensure(List.of(Store.ADVISORIES));
      return new GuardReport(
          messages,
          measure(connection, RetentionPolicy.WorkQueue),
          measure(connection, RetentionPolicy.Interest));
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("cannot measure the guard: " + e.getMessage(), e);
    }
  }

  private double measure(Connection connection, RetentionPolicy retention)
      throws IOException, JetStreamApiException, InterruptedException {
    JetStreamManagement management = connection.jetStreamManagement(server.jetStream());
    make(management, retention);
    publish(connection.jetStream(server.jetStream()));
    giveUp(connection, management);
    long started = System.nanoTime();
    GuardStatus status =
        Guard.once(
            connection,
            server.jetStream(),
            NAMES,
            GuardOptions.DEFAULT.withRelease(GuardOptions.Release.of(Set.of(STREAM))),
            event -> {},
            () -> false);
    double seconds = (System.nanoTime() - started) / 1e9;
    long left = management.getStreamInfo(STREAM).getStreamState().getMsgCount();
    if (status.buried() != messages || left > 0) {
      throw new BenchException(
          "of %d messages %d were dead-lettered, and %d stayed"
              .formatted(messages, status.buried(), left));
    }
    management.deleteStream(STREAM);
    return seconds;
  }

  private void make(JetStreamManagement management, RetentionPolicy retention)
      throws IOException, JetStreamApiException {
    management.addStream(
        StreamConfiguration.builder()
            .name(STREAM)
            .subjects(STREAM + ".>")
            .retentionPolicy(retention)
            .replicas(server.replicas())
            .build());
    management.addOrUpdateConsumer(
        STREAM,
        ConsumerConfiguration.builder()
            .durable(CONSUMER)
            .maxDeliver(1)
            .maxAckPending(UNDER_WAY)
            .build());
  }

  private void publish(JetStream stream) {
    byte[] payload = new byte[200];
    Deque<CompletableFuture<PublishAck>> underWay = new ArrayDeque<>();
    for (int i = 0; i < messages; i++) {
      underWay.add(stream.publishAsync(STREAM + ".new", payload));
      if (underWay.size() >= UNDER_WAY) {
        underWay.remove().join();
      }
    }
    underWay.forEach(CompletableFuture::join);
  }

  /** Until the server has said of each that it is given up on. */
  private void giveUp(Connection connection, JetStreamManagement management)
      throws IOException, JetStreamApiException {
    management.purgeStream(NAMES.advisoryStream());
    JetStreamSubscription pull =
        connection
            .jetStream(server.jetStream())
            .subscribe(null, PullSubscribeOptions.bind(STREAM, CONSUMER));
    long told;
    do {
      pull.fetch(UNDER_WAY, PULL).forEach(Message::nak);
      told = management.getStreamInfo(NAMES.advisoryStream()).getStreamState().getMsgCount();
    } while (told < messages);
    pull.unsubscribe();
  }
}
