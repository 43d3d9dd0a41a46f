package dev.contrail.console.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.console.desk.AuditDesk;
import dev.contrail.console.desk.Desk;
import dev.contrail.console.desk.DrillReports;
import dev.contrail.console.desk.Refusal;
import dev.contrail.console.desk.StreamDesk;
import dev.contrail.console.web.Asked;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.operations.doctor.Diagnosis;
import dev.contrail.operations.doctor.StreamStates;
import dev.contrail.operations.orphans.OrphanScan;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;

/** How it stands with streams, consumers and what Contrail found of them. */
public final class EstatePages {
  /** Streams, and what their ledgers take. */
  public record StreamsModel(
      List<StreamStates.OfStream> streams, List<StreamDesk.LedgerSize> ledgers) {
    public Optional<StreamDesk.LedgerSize> ledger(String stream, String consumer) {
      return ledgers.stream()
          .filter(it -> it.stream().equals(stream) && it.consumer().equals(consumer))
          .findFirst();
    }
  }

  /** What nobody takes. */
  public record OrphansModel(Optional<OrphanScan.Result> result) {}

  /** What is wrong. */
  public record DoctorModel(Optional<Diagnosis> diagnosis) {
    public List<Finding> findings() {
      return diagnosis.map(Diagnosis::findings).orElse(List.of());
    }
  }

  /** What became of every message of a stream. */
  public record AuditModel(
      List<String> streams, String stream, Optional<AuditDesk.Audit> audit, List<AuditBar> bars) {}

  /** Reports of drills. */
  public record DrillsModel(Optional<String> folder, List<DrillReports.Report> reports) {}

  /** One of them, as text. */
  public record DrillModel(String name, String text, boolean html) {}

  private static final int MOST_SHOWN = 512 * 1024;

  private final Screen screen;

  EstatePages(Screen screen) {
    this.screen = screen;
  }

  void add(Router router) {
    router.get("/", Need.VIEWER, this::overview);
    router.get("/streams", Need.VIEWER, this::streams);
    router.get("/orphans", Need.VIEWER, this::orphans);
    router.get("/doctor", Need.VIEWER, this::doctor);
    router.get("/audit", Need.VIEWER, this::audit);
    router.get("/drills", Need.VIEWER, this::drills);
    router.get("/drills/{name}", Need.VIEWER, this::drill);
    router.get("/drills/{name}/file", Need.VIEWER, this::drillFile);
    router.get("/drills/{name}/page", Need.VIEWER, this::drillPage);
  }

  private void overview(Context context) {
    screen.show(context, "overview", "overview", "Overview", screen.desk().overview());
  }

  private void streams(Context context) {
    StreamDesk desk = screen.desk().streams();
    screen.show(
        context,
        "streams",
        "streams",
        "Streams and consumers",
        new StreamsModel(desk.streams(), desk.ledgers()));
  }

  private void orphans(Context context) {
    screen.show(
        context,
        "orphans",
        "orphans",
        "Orphans",
        new OrphansModel(screen.desk().lookout().orphans()));
  }

  private void doctor(Context context) {
    screen.show(
        context,
        "doctor",
        "doctor",
        "Doctor",
        new DoctorModel(screen.desk().lookout().diagnosis()));
  }

  private void audit(Context context) {
    Desk desk = screen.desk();
    String stream = Optional.ofNullable(context.queryParam("stream")).orElse("");
    boolean anew = "true".equals(context.queryParam("anew"));
    Optional<AuditDesk.Audit> audit =
        stream.isEmpty()
            ? Optional.empty()
            : Optional.of(desk.audits().of(Asked.name(stream), anew));
    screen.show(
        context,
        "audit",
        "audit",
        "Audit",
        new AuditModel(
            desk.streams().streams().stream().map(StreamStates.OfStream::name).toList(),
            stream,
            audit,
            audit.flatMap(AuditDesk.Audit::report).map(AuditBar::of).orElse(List.of())));
  }

  private void drills(Context context) {
    DrillReports drills = screen.desk().drills();
    screen.show(
        context,
        "drills",
        "drills",
        "Drill reports",
        new DrillsModel(drills.folder().map(String::valueOf), drills.list()));
  }

  private void drill(Context context) {
    String name = context.pathParam("name");
    boolean html = name.endsWith(".html");
    byte[] report = read(name);
    String text = html ? "" : text(report);
    screen.show(context, "drill", "drills", name, new DrillModel(name, text, html));
    if (html) {
      Screen.letFrameOwn(context);
    }
  }

  private static String text(byte[] report) {
    int shown = Math.min(MOST_SHOWN, report.length);
    String text = new String(report, 0, shown, UTF_8);
    return VisibleText.of(JsonLayout.of(text).orElse(text)) + (shown < report.length ? "\n…" : "");
  }

  /**
   * A report as the page that it is, for a frame of ours alone. It is a file that anybody may have
   * put there, so it is shown as a page of nobody: without scripts, forms, links that leave the
   * frame, cookies of ours, and anything from elsewhere.
   */
  private void drillPage(Context context) {
    String name = context.pathParam("name");
    if (!name.endsWith(".html")) {
      throw new Refusal(Refusal.Kind.NOT_FOUND, "There is no page of that name.");
    }
    byte[] report = read(name);
    context.header(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
            + " form-action 'none'; frame-ancestors 'self'; sandbox");
    context.header("Referrer-Policy", "no-referrer");
    context.contentType("text/html; charset=utf-8").result(report);
  }

  /** As a file: an HTML report is somebody else's page, and is not shown as one of ours. */
  private void drillFile(Context context) {
    String name = context.pathParam("name");
    byte[] file = read(name);
    context.header("Content-Disposition", "attachment; filename=\"" + name + "\"");
    context.header("Content-Security-Policy", "default-src 'none'; sandbox");
    context.contentType("application/octet-stream").result(file);
  }

  private byte[] read(String name) {
    return screen
        .desk()
        .drills()
        .read(name)
        .orElseThrow(() -> new Refusal(Refusal.Kind.NOT_FOUND, "There is no report of that name."));
  }
}
