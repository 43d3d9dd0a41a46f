package dev.contrail.cli.command;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** What every command understands, before and after its name. */
@HelpGroup(heading = "Everywhere", order = 90)
public final class ProgramOptions {
  @Option(
      names = {"-j", "--json"},
      fallbackValue = "true",
      scope = ScopeType.INHERIT,
      description = "answer in JSON")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "show this help")
  boolean help;

  @Option(
      names = "--version",
      versionHelp = true,
      scope = ScopeType.INHERIT,
      description = "show the version")
  boolean version;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "settings file (./contrail.yaml, if there is one; CONTRAIL_CONFIG)")
  @Nullable String config;

  @Option(
      names = "--trace",
      fallbackValue = "true",
      scope = ScopeType.INHERIT,
      description = "show the details of errors (CONTRAIL_TRACE=1)")
  boolean trace;

  /** The settings file that was named. */
  public Optional<String> config() {
    return Optional.ofNullable(config);
  }

  public boolean json() {
    return json;
  }

  public boolean trace() {
    return trace;
  }
}
