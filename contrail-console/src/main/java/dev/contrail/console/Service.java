package dev.contrail.console;

import dev.contrail.console.health.Readiness;
import dev.contrail.console.health.Standing;
import dev.contrail.console.http.Answers;
import dev.contrail.console.metrics.Facts;
import dev.contrail.console.metrics.Metrics;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.doctor.Doctor;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.orphans.OrphanScan;
import dev.contrail.operations.schedule.RepeatedTask;
import dev.contrail.operations.schedule.Schedule;
import dev.contrail.operations.schedule.TaskStatus;
import dev.contrail.operations.watch.DoctorWatch;
import dev.contrail.operations.watch.OrphanWatch;
import io.nats.client.Connection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A guard, scans for orphans and a doctor, which go on until they are ended. It answers from its
 * own memory, before it has begun too, so that the HTTP server can be there first. While the NATS
 * server is away it waits, and says so. What happens is logged, as fields. Thread-safe.
 */
public final class Service implements Answers {
  private static final Duration CHECK_EVERY = Duration.ofSeconds(1);

  private final Account account;
  private final ServiceOptions options;
  private final InstantSource clock = InstantSource.system();
  private final ServiceLog log;
  private final OrphanWatch orphans;
  private final DoctorWatch doctor;
  private final Schedule schedule;
  private final Metrics metrics;
  private volatile @Nullable Parts parts;
  private volatile boolean indexToldReady;
  private volatile boolean stopping;

  /**
   * A service that has not begun.
   *
   * @param version of the program, for the metrics
   */
  public Service(Account account, ServiceOptions options, String version) {
    this.account = account;
    this.options = options;
    this.log = new ServiceLog(this::isConnected);
    this.orphans =
        new OrphanWatch(
            new OrphanScan(account.connection(), account.jetStream(), account.names()),
            options.orphans(),
            clock);
    this.doctor =
        new DoctorWatch(
            new Doctor(
                account.connection(), account.jetStream(), account.names(), options.doctor()),
            options.skipped());
    this.schedule =
        new Schedule(
            List.of(
                task("dead-letters", CHECK_EVERY, this::checkDeadLetters),
                task("orphans", options.orphansEvery(), () -> log.changes(orphans.look())),
                task("doctor", options.doctorEvery(), () -> log.changes(doctor.look()))));
    this.metrics = new Metrics(version, this::facts);
  }

  /**
   * Begins. Once; makes what is missing on the server, where the guard's options allow it.
   *
   * @throws ContrailException when what it needs is missing or unfit; then nothing goes on
   */
  public void begin() {
    parts = Parts.open(account, options, log);
    schedule.start();
  }

  private RepeatedTask task(String name, Duration every, RepeatedTask.Work work) {
    return new RepeatedTask(
        name,
        every,
        () -> {
          // Requests would only be waited for until they time out.
          if (!isConnected()) {
            throw new ContrailException("There is no connection to the NATS server.");
          }
          work.run();
        },
        clock,
        log);
  }

  private void checkDeadLetters() {
    Parts open = parts;
    if (open == null) {
      return;
    }
    open.deaths().check();
    if (!indexToldReady && open.index().readSoFar() >= 1) {
      indexToldReady = true;
      log.indexReady(open.index().openTotals().stream().mapToLong(it -> it.count()).sum());
    }
  }

  private boolean isConnected() {
    return account.connection().getStatus() == Connection.Status.CONNECTED;
  }

  @Override
  public Readiness readiness() {
    Optional<Parts> open = Optional.ofNullable(parts);
    return Readiness.of(
        new Standing(
            stopping,
            account.server(),
            account.connection().getStatus(),
            open.map(it -> it.index().readSoFar()).orElse(0.0),
            open.flatMap(it -> it.index().problem()),
            open.map(it -> it.guard().status())));
  }

  @Override
  public List<TaskStatus> tasks() {
    return schedule.status();
  }

  @Override
  public String metrics() {
    return metrics.scrape();
  }

  private Facts facts() {
    Optional<Parts> open = Optional.ofNullable(parts);
    return new Facts(
        clock.instant(),
        open.map(Parts::index).map(DeadLetterIndex::openTotals).orElse(List.of()),
        orphans.totals(),
        doctor.findings(),
        open.map(it -> it.guard().status()),
        schedule.status(),
        readiness());
  }

  /**
   * Ends what goes on: scans are broken off, the guard finishes what is under way and gives the
   * lead to another.
   *
   * @param atMost what has not ended by then is left behind, and logged
   */
  public void end(Duration atMost) throws InterruptedException {
    stopping = true;
    OrderlyEnd end = new OrderlyEnd(atMost, log::notEnded);
    end.step("tasks", () -> endSchedule(atMost));
    Parts open = parts;
    if (open != null) {
      open.end(end);
    }
    metrics.close();
  }

  private void endSchedule(Duration atMost) {
    try {
      schedule.end(atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
