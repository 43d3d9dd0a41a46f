package dev.contrail.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.Headers;
import dev.contrail.bench.report.AuditSize;
import dev.contrail.bench.report.Decimals;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.Incarnation;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.AuditRequest;
import dev.contrail.operations.audit.Audits;
import dev.contrail.operations.audit.Fate;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.PurgeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Measures an audit of many messages, nearly all of which a ledger covers. Of the others every
 * second has a dead letter, here and there; the rest waits, and the subject of each has to be read:
 * some are not for the consumer.
 */
final class AuditBench {
  private static final Names NAMES = new Names("contrail_bench");
  private static final String STREAM = "CONTRAIL_BENCH_AUDITED";
  private static final String SUBJECTS = "contrail_bench_audited.>";
  private static final String SUBJECT = "contrail_bench_audited.new";
  private static final String CONSUMER = "billing";
  private static final String OTHER_SUBJECT = "contrail_bench_audited.old";
  private static final int ONE_IN = 100;

  private final BenchServer server;
  private final long covered;
  private final int open;

  /**
   * The bench.
   *
   * @param covered how many messages the ledger covers
   * @param open how many it does not
   */
  AuditBench(BenchServer server, long covered, int open) {
    this.server = server;
    this.covered = covered;
    this.open = open;
  }

  /**
   * Measures.
   *
   * @throws BenchException when it cannot go on, or the audit is wrong
   */
  AuditSize run() throws InterruptedException {
    try (Connection connection = server.connections().get()) {
      prepare(connection);
      long started = System.nanoTime();
      AuditReport report = audit(connection);
      double seconds = (System.nanoTime() - started) / (double) TimeUnit.SECONDS.toNanos(1);
      if (report.count(Fate.PROCESSED) != covered
          || report.count(Fate.DEAD) != dead()
          || report.count(Fate.WAITING) != waiting() - others()
          || report.count(Fate.ORPHANED) != others()) {
        throw new BenchException("the audit is wrong: " + report.consumers());
      }
      double peak = peak(connection);
      return new AuditSize(
          report.messages(),
          dead(),
          waiting(),
          Decimals.round(seconds, 2),
          Decimals.round(peak, 1));
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("an audit cannot be measured: " + e.getMessage(), e);
    }
  }

  private AuditReport audit(Connection connection) throws InterruptedException {
    return new Audits(connection, server.jetStream(), NAMES)
        .audit(
            new AuditRequest(STREAM, List.of(), Optional.empty()), Instant.now(), (done, of) -> {});
  }

  /** Of a second run, which the collections that tell it slow down. */
  private double peak(Connection connection) throws InterruptedException {
    HeapSamples samples = new HeapSamples();
    try (samples) {
      audit(connection);
    }
    return samples.megabytes();
  }

  private int dead() {
    return open / 2;
  }

  private int waiting() {
    return open - dead();
  }

  /** Those that wait and are not for the consumer. */
  private long others() {
    return (waiting() + ONE_IN - 1L) / ONE_IN;
  }

  private void prepare(Connection connection)
      throws IOException, JetStreamApiException, InterruptedException {
    new Provisioning(connection, server.jetStream(), InitPlan.of(NAMES), Provision.CREATE)
        .ensure(List.of(Store.DEAD_LETTERS, Store.EVENTS, Store.LEDGER));
    var management = connection.jetStreamManagement(server.jetStream());
    String incarnation =
        Incarnation.of(
            management
                .addStream(
                    StreamConfiguration.builder()
                        .name(STREAM)
                        .subjects(SUBJECTS)
                        .retentionPolicy(RetentionPolicy.WorkQueue)
                        .build())
                .getCreateTime()
                .toInstant());
    long gone = covered + dead();
    // As if all of those had been there and were acknowledged.
    management.purgeStream(STREAM, PurgeOptions.builder().sequence(gone + 1).build());
    management.addOrUpdateConsumer(
        STREAM, ConsumerConfiguration.builder().durable(CONSUMER).filterSubject(SUBJECT).build());
    long every = gone / dead();
    record(connection, incarnation, gone, every);
    bury(connection, incarnation, every);
    wait(connection);
  }

  private void record(Connection connection, String incarnation, long last, long every)
      throws IOException, InterruptedException {
    String subject =
        NAMES.prefix() + ".ledger." + STREAM + "." + CONSUMER + "." + incarnation + ".";
    long since = Instant.now().minusMillis(last / 10).toEpochMilli();
    Pipeline pipeline = new Pipeline();
    for (LedgerRecords.Stored record :
        LedgerRecords.of(last, sequence -> !isDead(sequence, every), since)) {
      pipeline.add(
          connection
              .jetStream(server.jetStream())
              .publishAsync(subject + record.token(), record.bytes()));
    }
    pipeline.join();
  }

  private boolean isDead(long sequence, long every) {
    return sequence % every == 0 && sequence / every <= dead();
  }

  private void bury(Connection connection, String incarnation, long every)
      throws InterruptedException {
    DeadLetterArchive archive = new DeadLetterArchive(connection, server.jetStream(), NAMES);
    Instant now = Instant.now();
    Death death =
        new Death(
            Reason.REJECTED,
            now,
            1,
            Failure.of(new IllegalStateException("no such customer")),
            new Death.Witness("1@bench", Optional.empty()));
    OriginalMessage message =
        OriginalMessage.of(SUBJECT, now, Headers.none(), "order".getBytes(UTF_8));
    Pipeline pipeline = new Pipeline();
    for (long i = 1; i <= dead(); i++) {
      pipeline.add(
          archive.store(
              new DeadLetter(
                  new DeadLetterId(STREAM, CONSUMER, incarnation, i * every), message, death)));
    }
    pipeline.join();
  }

  private void wait(Connection connection) throws IOException, InterruptedException {
    Pipeline pipeline = new Pipeline();
    for (long i = 0; i < waiting(); i++) {
      pipeline.add(
          connection
              .jetStream(server.jetStream())
              .publishAsync(i % ONE_IN == 0 ? OTHER_SUBJECT : SUBJECT, "order".getBytes(UTF_8)));
    }
    pipeline.join();
  }
}
