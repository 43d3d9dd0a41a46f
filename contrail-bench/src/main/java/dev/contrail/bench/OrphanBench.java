package dev.contrail.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.bench.report.OrphanReport;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.orphans.OrphanScan;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
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
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

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

  /** How long a scan of a stream took, and how long the server alone for what it has to count. */
  private static final class Times {
    private final double[] scans = new double[ROUNDS];
    private final double[] answers = new double[ROUNDS];

    OrphanReport.Times medians() {
      return new OrphanReport.Times(median(scans), median(answers));
    }
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
      Times ofFewer = new Times();
      Times ofMore = new Times();
      for (int i = -WARM_UPS; i < ROUNDS; i++) {
        measure(connection, FEWER, ofFewer, i);
        measure(connection, MORE, ofMore, i);
      }
      for (String stream : List.of(FEWER, MORE)) {
        connection.jetStreamManagement(server.jetStream()).deleteStream(stream);
      }
      return OrphanReport.of(
          messages, subjects, UNCLAIMED, ofMore.medians(), fewer, ofFewer.medians());
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("cannot scan for orphans: " + e.getMessage(), e);
    }
  }

  private void measure(Connection connection, String stream, Times times, int round)
      throws InterruptedException {
    double scan = scan(connection, stream);
    double answers =
        answer(connection, "CONSUMER.LIST." + stream, "")
            + answer(connection, "STREAM.INFO." + stream, "{\"subjects_filter\":\">\"}");
    if (round >= 0) {
      times.scans[round] = scan;
      times.answers[round] = answers;
    }
  }

  private static double median(double[] seconds) {
    double[] sorted = seconds.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** The bare request: what is beyond that of a scan is the program's. */
  private double answer(Connection connection, String call, String body)
      throws InterruptedException {
    long started = System.nanoTime();
    Message answer =
        connection.request(
            server.jetStream().getPrefix() + call, body.getBytes(UTF_8), LONGEST_ANSWER);
    double seconds = (System.nanoTime() - started) / 1e9;
    if (answer == null || answer.isStatusMessage()) {
      throw new BenchException("the server does not answer " + call);
    }
    return seconds;
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
