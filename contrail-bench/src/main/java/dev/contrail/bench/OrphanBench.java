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
  private static final String FEWER = "CONTRAIL_BENCH_FEWER";
  private static final String MORE = "CONTRAIL_BENCH_MORE";
  private static final int UNCLAIMED = 3;
  private static final int WARM_UPS = 5;
  private static final int ROUNDS = 15;
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
   * Measures both sizes in turn: a scan takes so little time that what the server does on the side
   * just after it was filled, and a JVM that is cold, would tell more than the size.
   *
   * @throws BenchException when it cannot go on
   */
  OrphanReport run() throws InterruptedException {
    try (Connection connection = server.connections().get()) {
      int fewer = messages / TIMES_FEWER;
      fill(connection, FEWER, fewer);
      fill(connection, MORE, messages);
      double[] ofFewer = new double[ROUNDS];
      double[] ofMore = new double[ROUNDS];
      for (int i = -WARM_UPS; i < ROUNDS; i++) {
        double one = scan(connection, FEWER);
        double other = scan(connection, MORE);
        if (i >= 0) {
          ofFewer[i] = one;
          ofMore[i] = other;
        }
      }
      for (String stream : List.of(FEWER, MORE)) {
        connection.jetStreamManagement(server.jetStream()).deleteStream(stream);
      }
      return OrphanReport.of(messages, subjects, UNCLAIMED, median(ofMore), fewer, median(ofFewer));
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("cannot scan for orphans: " + e.getMessage(), e);
    }
  }

  private static double median(double[] seconds) {
    Arrays.sort(seconds);
    return seconds[seconds.length / 2];
  }

  private double scan(Connection connection, String stream) throws InterruptedException {
    long started = System.nanoTime();
    int found =
        new OrphanScan(connection, server.jetStream(), NAMES)
            .scan(new OrphanScan.Wanted(List.of(stream), Duration.ofDays(1), false), Instant.now())
            .orphans()
            .size();
    double seconds = (System.nanoTime() - started) / 1e9;
    if (found != UNCLAIMED) {
      throw new BenchException("found " + found + " unclaimed subjects, not " + UNCLAIMED);
    }
    return seconds;
  }

  private void fill(Connection connection, String name, int count)
      throws IOException, JetStreamApiException, InterruptedException {
    String root = name.toLowerCase(Locale.ROOT);
    var management = connection.jetStreamManagement(server.jetStream());
    management.addStream(
        StreamConfiguration.builder()
            .name(name)
            .subjects(root + ".>")
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .replicas(server.replicas())
            .build());
    management.addOrUpdateConsumer(
        name,
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
