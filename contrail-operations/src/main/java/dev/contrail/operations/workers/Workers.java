package dev.contrail.operations.workers;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.report.UnreadableReportException;
import dev.contrail.jetstream.report.WorkerReport;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What workers tell of themselves. {@link #look} asks the server and blocks, for one thread at a
 * time; {@link #latest} answers from memory, on any thread.
 */
public final class Workers {
  private static final int MOST_SENTENCES = 20;
  private static final Comparator<WorkerReport.Who> ORDER =
      Comparator.comparing(WorkerReport.Who::stream)
          .thenComparing(WorkerReport.Who::consumer)
          .thenComparing(WorkerReport.Who::name)
          .thenComparing(WorkerReport.Who::instance);

  private final Bucket reports;
  private final Pauses pauses;
  private final InstantSource clock;
  private volatile @Nullable Look latest;

  public Workers(
      Connection connection, JetStreamOptions options, Names names, InstantSource clock) {
    this.reports = new Bucket(connection, options, names, Store.WORKERS);
    this.pauses = new Pauses(connection, options, names, Provision.VERIFY, clock);
    this.clock = clock;
  }

  /**
   * Those that told of themselves within the bucket's TTL.
   *
   * @throws ContrailException when that cannot be read
   */
  public Roll look() {
    Instant at = clock.instant();
    List<String> unreadable = new ArrayList<>();
    List<WorkerReport> found = new ArrayList<>();
    for (Bucket.Entry entry : reports.entries()) {
      try {
        WorkerReport report = WorkerReport.decode(entry.value());
        if (isOf(report.who(), entry.key())) {
          found.add(report);
        } else {
          unreadable.add("A report is stored under " + entry.key() + ", and of another worker.");
        }
      } catch (UnreadableReportException e) {
        unreadable.add(e.getMessage() + " Its key is " + entry.key() + ".");
      }
    }
    found.sort(Comparator.comparing(WorkerReport::who, ORDER));
    Roll roll =
        Roll.of(found, pauses.read(unreadable), unreadable.stream().limit(MOST_SENTENCES).toList());
    latest = new Look(roll, at);
    return roll;
  }

  /** Who may write under one key shall not speak for workers of another consumer. */
  private static boolean isOf(WorkerReport.Who who, String key) {
    return (who.stream() + "." + who.consumer() + "." + who.instance()).equals(key);
  }

  /** What the last look found that went well; nothing before it. */
  public Roll latest() {
    return lastLook().map(Look::roll).orElse(Roll.EMPTY);
  }

  /** The same with its time; empty before it. */
  public Optional<Look> lastLook() {
    return Optional.ofNullable(latest);
  }
}
