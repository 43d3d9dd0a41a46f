package dev.contrail.cli.serve;

import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.doctor.KnownOptions;
import dev.contrail.cli.doctor.SkippedRules;
import dev.contrail.console.ServiceOptions;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.orphans.OrphanScan;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is done, and how often. */
@HelpGroup(heading = "Orphans and doctor", order = 7)
final class ServeOptions {
  @Option(
      names = "--orphans-every",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = Every.class,
      description = "how often to scan for orphans (5m)")
  private Duration orphansEvery = ServiceOptions.DEFAULT.orphansEvery();

  @Option(
      names = "--idle",
      paramLabel = "DURATION",
      defaultValue = "24h",
      converter = Idle.class,
      description =
          "for orphans, a durable is forgotten when nobody read from it for so long (24h)")
  private Duration idle = ServiceOptions.DEFAULT.orphans().idle();

  @Option(
      names = "--doctor-every",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = Every.class,
      description = "how often the doctor looks (5m)")
  private Duration doctorEvery = ServiceOptions.DEFAULT.doctorEvery();

  @Mixin private final SkippedRules skipped = new SkippedRules();
  @Mixin private final KnownOptions known = new KnownOptions();

  ServiceOptions options(GuardOptions guard) throws InterruptedException {
    return ServiceOptions.DEFAULT
        .withGuard(guard)
        .withOrphans(new OrphanScan.Wanted(List.of(), idle, false), orphansEvery)
        .withDoctor(known.options(), skipped.rules(), doctorEvery);
  }

  static final class Every extends DurationValue {
    Every() {
      super(Duration.ofSeconds(1), Duration.ofDays(1));
    }
  }

  static final class Idle extends DurationValue {
    Idle() {
      super(Duration.ofSeconds(1), Duration.ofDays(3_650));
    }
  }
}
