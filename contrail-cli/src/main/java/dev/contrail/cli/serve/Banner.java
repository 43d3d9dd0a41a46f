package dev.contrail.cli.serve;

import dev.contrail.Durations;
import dev.contrail.cli.command.LogLine;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.WrappedText;
import dev.contrail.console.ServiceOptions;
import dev.contrail.console.notice.NoticeSettings;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.view.PlainText;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says at the start what goes on where: to people in words, to files as a line like others. */
final class Banner {
  private static final Logger log = LoggerFactory.getLogger(Banner.class);
  private static final String LABEL = "  %-11s ";

  private final Surroundings surroundings;
  private final boolean forPeople;

  Banner(Surroundings surroundings, LogLine.Form form) {
    this.surroundings = surroundings;
    this.forPeople = form == LogLine.Form.TERMINAL;
  }

  /** What is about to be done, for people: before any line that tells what happens. */
  void beginning(URI address, String server, ServiceOptions options) {
    if (!forPeople) {
      return;
    }
    PrintWriter err = surroundings.err();
    err.println(PlainText.of("Serves " + server + ", as " + options.guard().by()));
    labelled("console", address + "/");
    labelled("answers", "/healthz, /readyz, /metrics, /api/v1");
    labelled("guards", guarded(options.guard()));
    labelled("takes from", taken(options.guard().release()));
    labelled("orphans", every(options.orphansEvery()));
    labelled("doctor", every(options.doctorEvery()));
    options.notices().url().ifPresent(url -> labelled("notices", NoticeSettings.shown(url)));
    err.println("Ctrl-C ends.");
    err.flush();
  }

  /** All of it goes on, for files. */
  void serving(URI address, String server, ServiceOptions options) {
    if (forPeople) {
      return;
    }
    GuardOptions guard = options.guard();
    log.atInfo()
        .addKeyValue("event", "serving")
        .addKeyValue("url", address)
        .addKeyValue("server", server)
        .addKeyValue("guards", words(guard.streams(), ",", "all"))
        .addKeyValue("exclude", words(guard.exclude(), ",", "none"))
        .addKeyValue("release", guard.release().all() ? "all" : named(guard.release(), ",", "none"))
        .addKeyValue("sweep_every", Durations.format(guard.sweepEvery()))
        .addKeyValue("orphans_every", Durations.format(options.orphansEvery()))
        .addKeyValue("doctor_every", Durations.format(options.doctorEvery()))
        .log();
  }

  /** Others can ask, as somebody wanted. */
  void open(URI address) {
    log.atWarn()
        .addKeyValue("event", "unprotected")
        .addKeyValue("url", address)
        .log(
            "without TLS others may read along; while there are no tokens, everybody who reaches"
                + " this address sees payloads and may act");
  }

  void stopping(boolean connected) {
    log.atInfo()
        .addKeyValue("event", "stopping")
        .log(connected ? "" : "the connection to the NATS server was closed for good");
  }

  private static String guarded(GuardOptions guard) {
    String streams = words(guard.streams(), ", ", "every stream");
    String but = guard.exclude().isEmpty() ? "" : " but " + words(guard.exclude(), ", ", "");
    return streams + but + "; sweeps " + every(guard.sweepEvery());
  }

  private static String taken(GuardOptions.Release release) {
    String copied = ": what is dead-lettered";
    if (release.all()) {
      return "every stream that is guarded" + copied;
    }
    return release.streams().isEmpty()
        ? "none: it copies, and --release STREAM lets it take away what it copied"
        : named(release, ", ", "") + copied;
  }

  private static String every(Duration time) {
    return "every " + Durations.format(time);
  }

  private static String named(GuardOptions.Release release, String between, String none) {
    return words(List.copyOf(new TreeSet<>(release.streams())), between, none);
  }

  private static String words(List<String> names, String between, String none) {
    return names.isEmpty() ? none : String.join(between, names);
  }

  private void labelled(String label, String text) {
    String start = LABEL.formatted(label);
    int columns = surroundings.terminal().columns() - start.length();
    surroundings
        .err()
        .println(
            start
                + String.join(
                    "\n" + " ".repeat(start.length()),
                    WrappedText.lines(PlainText.of(text), columns)));
  }
}
