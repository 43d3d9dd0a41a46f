package dev.contrail.cli.serve;

import dev.contrail.Durations;
import dev.contrail.cli.command.LogLine;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.PlainText;
import dev.contrail.console.ServiceOptions;
import dev.contrail.operations.guard.GuardOptions;
import java.net.URI;
import java.util.List;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says at the start what goes on where: to people in sentences, to files as a line like others. */
final class Banner {
  private static final Logger log = LoggerFactory.getLogger(Banner.class);

  private final Surroundings surroundings;
  private final boolean forPeople;

  Banner(Surroundings surroundings, LogLine.Form form) {
    this.surroundings = surroundings;
    this.forPeople = form == LogLine.Form.TERMINAL;
  }

  void serving(URI address, String server, ServiceOptions options) {
    String orphans = Durations.format(options.orphansEvery());
    String doctor = Durations.format(options.doctorEvery());
    GuardOptions.Release release = options.guard().release();
    if (!forPeople) {
      log.atInfo()
          .addKeyValue("event", "serving")
          .addKeyValue("url", address)
          .addKeyValue("server", server)
          .addKeyValue("guards", words(options.guard().streams(), "all"))
          .addKeyValue("exclude", words(options.guard().exclude(), "none"))
          .addKeyValue("sweep_every", Durations.format(options.guard().sweepEvery()))
          .addKeyValue("orphans_every", orphans)
          .addKeyValue("doctor_every", doctor)
          .addKeyValue("release", names(release, "none", "all", ","))
          .log();
      return;
    }
    say("health and metrics at " + address + ", Ctrl-C ends");
    say("on " + server + ": guard, orphans every " + orphans + ", doctor every " + doctor);
    say(
        release.equals(GuardOptions.Release.NOTHING)
            ? "the guard takes nothing from any stream; --release STREAM lets it"
            : "the guard takes messages from "
                + names(release, "none", "every stream", ", ")
                + " once they are dead-lettered");
  }

  /** Others can ask, as somebody wanted. */
  void open(URI address) {
    log.atWarn()
        .addKeyValue("event", "unprotected")
        .addKeyValue("url", address)
        .log("everybody who reaches this address reads health and metrics");
  }

  void stopping(boolean connected) {
    log.atInfo()
        .addKeyValue("event", "stopping")
        .log(connected ? "" : "the connection to the NATS server was closed for good");
  }

  private static String words(List<String> patterns, String none) {
    return patterns.isEmpty() ? none : String.join(",", patterns);
  }

  private static String names(
      GuardOptions.Release release, String none, String all, String between) {
    if (release.all()) {
      return all;
    }
    return release.streams().isEmpty()
        ? none
        : String.join(between, new TreeSet<>(release.streams()));
  }

  private void say(String sentence) {
    surroundings.err().println("contrail: " + PlainText.of(sentence));
    surroundings.err().flush();
  }
}
