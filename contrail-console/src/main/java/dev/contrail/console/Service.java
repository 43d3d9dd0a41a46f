package dev.contrail.console;

import dev.contrail.console.access.KnownTokens;
import dev.contrail.console.access.TokenBook;
import dev.contrail.console.access.TokenStore;
import dev.contrail.console.desk.Account;
import dev.contrail.console.desk.DecisionDesk;
import dev.contrail.console.desk.Desk;
import dev.contrail.console.desk.DrillReports;
import dev.contrail.console.desk.LetterDesk;
import dev.contrail.console.desk.Lookout;
import dev.contrail.console.desk.RecentChanges;
import dev.contrail.console.desk.RecentChanges.Tone;
import dev.contrail.console.desk.ReplayDesk;
import dev.contrail.console.desk.ReplayRuns;
import dev.contrail.console.desk.StreamDesk;
import dev.contrail.console.desk.WorkerDesk;
import dev.contrail.console.health.Readiness;
import dev.contrail.console.health.Standing;
import dev.contrail.console.http.Answers;
import dev.contrail.console.metrics.Facts;
import dev.contrail.console.metrics.Metrics;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.operations.doctor.Diagnosis;
import dev.contrail.operations.doctor.Doctor;
import dev.contrail.operations.guard.GuardStatus;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.index.ReplayTotals;
import dev.contrail.operations.orphans.OrphanScan;
import dev.contrail.operations.schedule.RepeatedTask;
import dev.contrail.operations.schedule.Schedule;
import dev.contrail.operations.schedule.TaskStatus;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.watch.DoctorWatch;
import dev.contrail.operations.watch.FindingChanges;
import dev.contrail.operations.watch.OrphanChanges;
import dev.contrail.operations.watch.OrphanTotal;
import dev.contrail.operations.watch.OrphanWatch;
import dev.contrail.operations.watch.StoreWatch;
import dev.contrail.plan.PlanHead;
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
public final class Service implements Answers, Lookout {
  private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
  private static final Duration TOKENS_EVERY = Duration.ofSeconds(2);
  private static final Duration WORKERS_EVERY = Duration.ofSeconds(2);
  private static final Duration STORES_EVERY = Duration.ofSeconds(15);

  private final Account account;
  private final ServiceOptions options;
  private final InstantSource clock = InstantSource.system();
  private final ServiceLog log;
  private final OrphanWatch orphans;
  private final DoctorWatch doctor;
  private final StoreWatch stores;
  private final Schedule schedule;
  private final Metrics metrics;
  private final KnownTokens tokens;
  private final RecentChanges changes = new RecentChanges(clock);
  private final ReplayRuns runs;
  private final WorkerDesk workers;
  private final String version;
  private final News news;
  private volatile @Nullable Parts parts;
  private volatile @Nullable Desk desk;
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
    this.version = version;
    this.log = new ServiceLog(this::isConnected);
    this.tokens =
        new KnownTokens(new TokenStore(account.connection(), account.jetStream(), account.names()));
    this.runs = new ReplayRuns(clock, this::replay);
    this.workers = new WorkerDesk(account, options.guard().provision(), changes, clock);
    this.news =
        new News(
            account, this::desk, options.notices(), this::isMineToTell, version, changes, clock);
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
    this.stores =
        new StoreWatch(
            new JetStreamServer(account.connection(), account.jetStream()), account.names());
    this.schedule =
        new Schedule(
            List.of(
                task("dead-letters", CHECK_EVERY, this::checkDeadLetters),
                task("notices", CHECK_EVERY, news::look),
                task("tokens", TOKENS_EVERY, tokens::look),
                task("workers", WORKERS_EVERY, workers::look),
                task("stores", STORES_EVERY, this::lookAtStores),
                task("orphans", options.orphansEvery(), () -> changed(orphans.look())),
                task("doctor", options.doctorEvery(), () -> changed(doctor.look()))));
    this.metrics = new Metrics(version, this::facts);
  }

  /**
   * Begins. Once; makes what is missing on the server, where the guard's options allow it.
   *
   * @throws ContrailException when what it needs is missing or unfit; then nothing goes on
   */
  public void begin() {
    Parts open = Parts.open(account, options, log);
    parts = open;
    desk = desk(open);
    schedule.start();
  }

  private Desk desk(Parts open) {
    ConsoleOptions console = options.console();
    return new Desk(
        account,
        new LetterDesk(account, open.index(), console.redaction()),
        new DecisionDesk(account, options.guard().provision(), console.redaction()),
        new ReplayDesk(account, options.guard().provision(), runs, clock),
        new StreamDesk(account, options.doctor().longestDelay(), clock),
        open.audits(),
        this,
        workers,
        new DrillReports(console.drillReports()),
        changes,
        clock);
  }

  /** Who may ask. */
  public TokenBook tokens() {
    return tokens;
  }

  private void changed(OrphanChanges now) {
    log.changes(now);
    now.appeared()
        .forEach(
            it ->
                changes.add(
                    Tone.BAD,
                    it.count() + " " + it.kind().text() + " messages in " + it.stream(),
                    "/orphans"));
    now.gone()
        .forEach(
            it ->
                changes.add(
                    Tone.GOOD,
                    "no " + it.kind().text() + " messages in " + it.stream() + " any more",
                    "/orphans"));
  }

  private void changed(FindingChanges now) {
    log.changes(now);
    now.appeared().forEach(it -> changes.add(Tone.BAD, words(it), "/doctor"));
    now.gone().forEach(it -> changes.add(Tone.GOOD, "mended: " + words(it), "/doctor"));
  }

  private static String words(Finding finding) {
    return finding.rule().code()
        + " "
        + finding.rule().title()
        + finding.stream().map(name -> ", " + name).orElse("");
  }

  private void replay(PlanHead head, String what) {
    changes.add(
        what.equals("began") || what.equals("finished") ? Tone.PLAIN : Tone.BAD,
        "replay of " + head.entries() + " by " + head.by() + ": " + what,
        "/replays/" + head.plan());
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

  /** Of several processes, the one whose guard leads sends; all of them where nobody leads. */
  private boolean isMineToTell() {
    return guard().map(it -> it.leading() || it.leader().isEmpty()).orElse(true);
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

  @Override
  public Optional<Desk> desk() {
    return Optional.ofNullable(desk);
  }

  @Override
  public long changes() {
    Parts open = parts;
    return changes.count() + workers.revision() + (open == null ? 0 : open.index().changes());
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public Optional<OrphanScan.Result> orphans() {
    return orphans.latest();
  }

  @Override
  public Optional<List<OrphanTotal>> orphanTotals() {
    return orphans.totals();
  }

  @Override
  public Optional<Diagnosis> diagnosis() {
    return doctor.latest();
  }

  @Override
  public Optional<GuardStatus> guard() {
    return Optional.ofNullable(parts).map(it -> it.guard().status());
  }

  private void lookAtStores() {
    stores.look();
    stores.fills().ifPresent(news::lookForRoom);
  }

  private Facts facts() {
    Optional<Parts> open = Optional.ofNullable(parts);
    return new Facts(
        clock.instant(),
        open.map(Parts::index).map(DeadLetterIndex::openTotals).orElse(List.of()),
        open.map(Parts::index).map(DeadLetterIndex::stateTotals).orElse(List.of()),
        open.map(Parts::index).map(DeadLetterIndex::replayTotals).orElse(ReplayTotals.NONE),
        stores.fills(),
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
    end.step("replays", () -> endReplays(atMost));
    end.step("notices", news::close);
    Parts open = parts;
    if (open != null) {
      open.end(end);
    }
    metrics.close();
  }

  /** Each ends between two messages, and says so: whoever wants to resumes it. */
  private void endReplays(Duration atMost) {
    try {
      runs.close(atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void endSchedule(Duration atMost) {
    try {
      schedule.end(atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
