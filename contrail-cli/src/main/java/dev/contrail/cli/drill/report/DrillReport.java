package dev.contrail.cli.drill.report;

import dev.contrail.cli.drill.report.ScenarioResult.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a drill found. Scripts rely on the names of the fields.
 *
 * @param version of this form
 * @param worker what was drilled: {@code contrail}, the name of a wrong order, or a command
 * @param server where, without passwords
 * @param embedded whether that was a server of the drill's own
 */
public record DrillReport(
    int version,
    Instant startedAt,
    long tookMillis,
    String program,
    String worker,
    String server,
    String serverVersion,
    boolean embedded,
    long seed,
    Verdict verdict,
    Head head,
    List<ScenarioResult> scenarios) {
  private static final int VERSION = 1;

  /**
   * The surroundings of a drill.
   *
   * @param program its name and version
   */
  public record Circumstances(
      Instant startedAt,
      String program,
      String worker,
      String server,
      String serverVersion,
      boolean embedded,
      long seed) {}

  public static DrillReport of(Circumstances where, Duration took, List<ScenarioResult> scenarios) {
    boolean broken = scenarios.stream().anyMatch(it -> it.verdict() == Verdict.BROKEN);
    boolean skipped = scenarios.stream().allMatch(it -> it.verdict() == Verdict.SKIPPED);
    return new DrillReport(
        VERSION,
        where.startedAt,
        took.toMillis(),
        where.program,
        where.worker,
        where.server,
        where.serverVersion,
        where.embedded,
        where.seed,
        broken ? Verdict.BROKEN : skipped ? Verdict.SKIPPED : Verdict.KEPT,
        Head.of(scenarios),
        List.copyOf(scenarios));
  }
}
