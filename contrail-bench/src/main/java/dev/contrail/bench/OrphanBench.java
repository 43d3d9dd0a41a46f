package dev.contrail.bench;

import dev.contrail.bench.report.OrphanReport;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.orphans.OrphanScan;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Measures what it costs to find a few unclaimed subjects among many, on a server of its own. */
final class OrphanBench {
  private static final Names NAMES = new Names("contrail_bench");
  private static final String STREAM = "CONTRAIL_BENCH_ORPHANS";
  private static final int UNCLAIMED = 3;
  private static final int ROUNDS = 5;
  private static final int TIMES_FEWER = 10;

  private final BenchServer server;
  private final int messages;
  private final int subjects;

  /**
   * The bench.
   *
   * @param messages how many there are
   * @param subjects on which they are spread
   */
  OrphanBench(BenchServer server, int messages, int subjects) {
    this.server = server;
    this.messages = messages;
    this.subjects = subjects;
  }

  /**
   * Measures.
   *
   * @throws BenchException when it cannot go on
   */
  OrphanReport run() throws InterruptedException {
    try (Connection connection = server.connections().get()) {
      int fewer = messages / TIMES_FEWER;
      double scanFewer = scan(connection, fewer);
      return OrphanReport.of(
          messages, subjects, UNCLAIMED, scan(connection, messages), fewer, scanFewer);
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("cannot scan for orphans: " + e.getMessage(), e);
    }
  }

  private double scan(Connection connection, int count)
      throws IOException, JetStreamApiException, InterruptedException {
    fill(connection, count);
    double[] seconds = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long started = System.nanoTime();
      int found =
          new OrphanScan(connection, server.jetStream(), NAMES)
              .scan(
                  new OrphanScan.Wanted(List.of(STREAM), Duration.ofDays(1), false), Instant.now())
              .orphans()
              .size();
      seconds[i] = (System.nanoTime() - started) / 1e9;
      if (found != UNCLAIMED) {
        throw new BenchException("found " + found + " unclaimed subjects, not " + UNCLAIMED);
      }
    }
    connection.jetStreamManagement(server.jetStream()).deleteStream(STREAM);
    Arrays.sort(seconds);
    return seconds[ROUNDS / 2];
  }

  private void fill(Connection connection, int count)
      throws IOException, JetStreamApiException, InterruptedException {
    String root = STREAM.toLowerCase(Locale.ROOT);
    var management = connection.jetStreamManagement(server.jetStream());
    management.addStream(
        StreamConfiguration.builder()
            .name(STREAM)
            .subjects(root + ".>")
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .replicas(server.replicas())
            .build());
    management.addOrUpdateConsumer(
        STREAM,
        ConsumerConfiguration.builder()
            .durable("claimed")
            .filterSubject(root + ".claimed.*")
            .build());
    JetStream stream = connection.jetStream(server.jetStream());
    byte[] payload = new byte[100];
    Pipeline pipeline = new Pipeline();
    for (int i = 0; i < count; i++) {
      int subject = i % subjects;
      String kind = subject < UNCLAIMED ? ".unclaimed." : ".claimed.";
      pipeline.add(stream.publishAsync(root + kind + subject, payload));
    }
    pipeline.join();
  }
}
