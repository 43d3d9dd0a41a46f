package dev.contrail.cli.dlq;

import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.TimeValue;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Until when the dead letters died that are meant. */
interface EndOption {
  /** Null where that does not matter. */
  @Nullable Instant time();

  /** What it is called. */
  String name();

  /** Under the name that goes with {@code --from}. */
  @HelpGroup(heading = "Which dead letters", order = 10)
  final class To implements EndOption {
    @Option(
        names = {"--to", "--until"},
        paramLabel = "TIME",
        converter = TimeValue.class,
        description = "only those that died before this time")
    private @Nullable Instant to;

    @Override
    public @Nullable Instant time() {
      return to;
    }

    @Override
    public String name() {
      return "--to";
    }
  }

  /** Where {@code --to} says something else. */
  @HelpGroup(heading = "Which dead letters", order = 10)
  final class Until implements EndOption {
    @Option(
        names = "--until",
        paramLabel = "TIME",
        converter = TimeValue.class,
        description = "only those that died before this time (--to is where copies go)")
    private @Nullable Instant until;

    @Override
    public @Nullable Instant time() {
      return until;
    }

    @Override
    public String name() {
      return "--until";
    }
  }
}
