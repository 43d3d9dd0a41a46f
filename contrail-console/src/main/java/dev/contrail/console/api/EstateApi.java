package dev.contrail.console.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.console.desk.AuditDesk;
import dev.contrail.console.desk.Desk;
import dev.contrail.console.desk.DrillReports;
import dev.contrail.console.desk.Overview;
import dev.contrail.console.desk.RecentChanges;
import dev.contrail.console.desk.Refusal;
import dev.contrail.console.desk.StreamDesk;
import dev.contrail.console.desk.WorkerSums;
import dev.contrail.console.web.Asked;
import dev.contrail.console.web.Json;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.operations.doctor.StreamStates;
import dev.contrail.operations.guard.GuardStatus;
import dev.contrail.operations.index.DeathCounts;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.view.AuditFields;
import dev.contrail.operations.view.DiagnosisFields;
import dev.contrail.operations.view.OrphanFields;
import dev.contrail.operations.watch.OrphanTotal;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** How it stands with streams and what Contrail found of them. */
final class EstateApi {
  private static final int ACCEPTED = 202;

  private record Counts(long open, int groups, long diedInTheLastHour, double indexRead) {}

  private record Findings(long errors, long warnings) {}

  private record Whole(
      Counts deadLetters,
      Optional<List<OrphanTotal>> orphans,
      Optional<Findings> findings,
      Optional<GuardStatus> guard,
      WorkerTotals workers,
      List<RecentChanges.Change> changes) {}

  private record WorkerTotals(
      int count,
      WorkerReport.Rates perSecond,
      long breakersOpen,
      long waiting,
      long paused,
      Optional<Instant> seenAt,
      boolean stale) {
    static WorkerTotals of(WorkerSums sums) {
      return new WorkerTotals(
          sums.count(),
          sums.perSecond(),
          sums.breakersOpen(),
          sums.waiting(),
          sums.paused(),
          sums.seenAt(),
          sums.staleSince().isPresent());
    }
  }

  private record OfReason(String reason, List<Integer> counts) {}

  private record Deaths(
      Instant from, Duration stretch, List<Instant> times, List<OfReason> reasons) {}

  private record Streams(
      List<StreamStates.OfStream> streams, List<StreamDesk.LedgerSize> ledgers) {}

  private record UnderWay(String state, long done, long of) {}

  private final Supplier<Desk> desk;

  EstateApi(Supplier<Desk> desk) {
    this.desk = desk;
  }

  void add(Router router) {
    router.get(Api.BASE + "/overview", Need.VIEWER, Api.json(this::overview));
    router.get(Api.BASE + "/deaths", Need.VIEWER, Api.json(this::deaths));
    router.get(
        Api.BASE + "/streams",
        Need.VIEWER,
        Api.json(
            context ->
                new Streams(desk.get().streams().streams(), desk.get().streams().ledgers())));
    router.get(Api.BASE + "/orphans", Need.VIEWER, Api.json(this::orphans));
    router.get(Api.BASE + "/doctor", Need.VIEWER, Api.json(this::doctor));
    router.get(Api.BASE + "/audits/{stream}", Need.VIEWER, Api.json(this::audit));
    router.get(Api.BASE + "/drills", Need.VIEWER, Api.json(context -> desk.get().drills().list()));
    router.get(Api.BASE + "/drills/{name}", Need.VIEWER, this::drill);
  }

  private Object overview(Context context) {
    Overview all = desk.get().overview();
    return new Whole(
        new Counts(all.open(), all.allGroups(), all.diedLately(), all.read()),
        all.orphans(),
        all.findings().map(any -> new Findings(all.count("error"), all.count("warn"))),
        all.guard(),
        WorkerTotals.of(all.workers()),
        all.changes());
  }

  private Object deaths(Context context) {
    Instant now = desk.get().clock().instant();
    Overview.Range range = Asked.range(context);
    DeathCounts deaths =
        desk.get()
            .letters()
            .index()
            .deaths(EntryFilter.ALL, now.minus(range.length()), now, range.stretches());
    List<Instant> times = new ArrayList<>();
    for (int i = 0; i < range.stretches(); i++) {
      times.add(deaths.from().plus(deaths.stretch().multipliedBy(i)));
    }
    return new Deaths(
        deaths.from(),
        deaths.stretch(),
        times,
        deaths.counts().entrySet().stream()
            .map(it -> new OfReason(it.getKey().text(), it.getValue()))
            .toList());
  }

  private Object orphans(Context context) {
    return desk.get()
        .lookout()
        .orphans()
        .map(OrphanFields::of)
        .orElseThrow(
            () -> new Refusal(Refusal.Kind.UNAVAILABLE, "Orphans were not scanned for yet."));
  }

  private Object doctor(Context context) {
    return desk.get()
        .lookout()
        .diagnosis()
        .map(it -> DiagnosisFields.of(it, it.findings()))
        .orElseThrow(() -> new Refusal(Refusal.Kind.UNAVAILABLE, "The doctor has not looked yet."));
  }

  /** Begins an audit where there is none of the last minute; then it is asked for again. */
  private Object audit(Context context) {
    String stream = Asked.name(context.pathParam("stream"));
    AuditDesk.Audit audit =
        desk.get().audits().of(stream, "true".equals(context.queryParam("anew")));
    if (audit.isUnderWay()) {
      context.status(ACCEPTED);
      return new UnderWay("running", audit.done(), audit.of());
    }
    return audit
        .report()
        .map(AuditFields::of)
        .orElseThrow(() -> new Refusal(Refusal.Kind.CONFLICT, audit.failure()));
  }

  /** A report as it is stored: one in JSON as such, one in HTML as text within JSON. */
  private void drill(Context context) {
    String name = context.pathParam("name");
    DrillReports drills = desk.get().drills();
    byte[] report =
        drills
            .read(name)
            .orElseThrow(
                () -> new Refusal(Refusal.Kind.NOT_FOUND, "There is no report of that name."));
    if (name.endsWith(".json")) {
      context.contentType(Json.TYPE).result(report);
    } else {
      Api.write(context, Map.of("name", name, "html", new String(report, UTF_8)));
    }
  }
}
