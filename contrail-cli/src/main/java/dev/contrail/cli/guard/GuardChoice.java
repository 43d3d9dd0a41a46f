package dev.contrail.cli.serve;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.guard.GuardOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** What the guard may do. */
@HelpGroup(heading = "Guard", order = 5)
final class GuardChoice {
  @Option(
      names = "--release",
      paramLabel = "STREAM",
      arity = "1..*",
      split = ",",
      converter = NatsNames.Name.class,
      description = "let the guard take messages from these streams, once they are dead-lettered")
  private List<String> release = new ArrayList<>();

  @Option(
      names = "--release-all",
      fallbackValue = "true",
      description = "the same for every stream")
  private boolean releaseAll;

  /**
   * With leave to take messages from what was named.
   *
   * @throws CommandFailure when a name is not that of a stream to take from
   */
  GuardOptions options(Names names) {
    if (releaseAll && !release.isEmpty()) {
      throw CommandFailure.usage("--release names streams and --release-all means all; say one");
    }
    for (String stream : release) {
      if (!GuardOptions.DEFAULT.watches(stream, names)) {
        throw CommandFailure.usage(
            "--release: '" + stream + "' is Contrail's own; accepted are streams of others");
      }
    }
    return GuardOptions.DEFAULT.withRelease(
        releaseAll ? GuardOptions.Release.ALL : GuardOptions.Release.of(Set.copyOf(release)));
  }
}
