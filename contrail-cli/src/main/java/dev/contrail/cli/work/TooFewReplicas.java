package dev.contrail.cli.work;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.jetstream.ContrailException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A refusal that a flag of this command lifts: the library's sentence, with the flag in it. */
final class TooFewReplicas {
  // Nothing else may be wrong with the stream, or the flag would not be enough.
  private static final Pattern SENTENCE =
      Pattern.compile(
          "(.* since it has too few replicas \\([^)]*\\) \\[CT045\\]); (mend it with: .*)");

  private TooFewReplicas() {}

  static Optional<CommandFailure> of(ContrailException refusal) {
    Matcher sentence = SENTENCE.matcher(String.valueOf(refusal.getMessage()));
    return sentence.matches()
        ? Optional.of(
            CommandFailure.failed(
                sentence.group(1)
                    + "; accept that with --allow-fewer-replicas, or "
                    + sentence.group(2),
                refusal))
        : Optional.empty();
  }
}
