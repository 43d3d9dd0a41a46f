package dev.contrail.cli.doctor;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Severity;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What of the findings is told, and which of them fail the command. */
@HelpGroup(heading = "Findings", order = 10)
final class ReportOptions {
  /** From which severity on the command fails. */
  enum FailOn {
    ERROR,
    WARN,
    NEVER
  }

  @Option(
      names = "--fail-on",
      paramLabel = "error|warn|never",
      defaultValue = "error",
      converter = FailOnValue.class,
      description = "exit with 1 from this severity on (error)")
  private FailOn failOn = FailOn.ERROR;

  @Mixin private final SkippedRules skipped = new SkippedRules();

  List<Finding> shown(List<Finding> all) {
    return all.stream().filter(finding -> !skipped.rules().contains(finding.rule())).toList();
  }

  boolean isFailure(List<Finding> shown) {
    return failOn != FailOn.NEVER
        && shown.stream()
            .anyMatch(
                finding -> failOn == FailOn.WARN || finding.rule().severity() == Severity.ERROR);
  }

  static final class FailOnValue implements ITypeConverter<FailOn> {
    @Override
    public FailOn convert(String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "error" -> FailOn.ERROR;
        case "warn" -> FailOn.WARN;
        case "never" -> FailOn.NEVER;
        default ->
            throw new BadValueException(
                "'" + text + "' is no severity; accepted are error, warn, never");
      };
    }
  }
}
