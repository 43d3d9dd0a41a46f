package dev.contrail.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.LogLine;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import dev.contrail.console.ServiceOptions;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.guard.GuardOptions.Release;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BannerTest {
  private static final URI ADDRESS = URI.create("http://127.0.0.1:8422");

  private static String banner(GuardOptions guard, LogLine.Form form) {
    StringWriter err = new StringWriter();
    Surroundings surroundings =
        new Surroundings(
            Map.of(),
            Path.of("."),
            Path.of("."),
            new PrintWriter(new StringWriter()),
            new PrintWriter(err),
            new Terminal(true, true, 80, false));
    new Banner(surroundings, form)
        .beginning(
            ADDRESS,
            "nats://127.0.0.1:4222",
            ServiceOptions.DEFAULT.withGuard(guard.withBy("ops@host")));
    return err.toString();
  }

  @Test
  void says_that_nothing_is_taken_unless_told() {
    assertThat(banner(GuardOptions.DEFAULT, LogLine.Form.TERMINAL))
        .isEqualTo(
            """
            Serves nats://127.0.0.1:4222, as ops@host
              console     http://127.0.0.1:8422/
              answers     /healthz, /readyz, /metrics, /api/v1
              guards      every stream; sweeps every 5m
              takes from  none: it copies, and --release STREAM lets it take away what it
                          copied
              orphans     every 5m
              doctor      every 5m
            Ctrl-C ends.
            """);
  }

  @Test
  void names_the_streams_that_are_guarded_and_those_that_it_takes_from() {
    GuardOptions guard =
        GuardOptions.DEFAULT
            .withStreams(List.of("ORDERS*", "JOBS"))
            .withExclude(List.of("*-test"))
            .withSweepEvery(Duration.ofMinutes(1));

    assertThat(
            banner(guard.withRelease(Release.of(Set.of("ORDERS", "JOBS"))), LogLine.Form.TERMINAL))
        .contains("  guards      ORDERS*, JOBS but *-test; sweeps every 1m\n")
        .contains("  takes from  JOBS, ORDERS: what is dead-lettered\n");
    assertThat(banner(guard.withRelease(Release.ALL), LogLine.Form.TERMINAL))
        .contains("  takes from  every stream that is guarded: what is dead-lettered\n");
  }

  @Test
  void is_no_part_of_a_log() {
    assertThat(banner(GuardOptions.DEFAULT, LogLine.Form.LOGFMT)).isEmpty();
  }
}
