package dev.contrail.cli.dlq;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Progress;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.operations.index.NewestEntries;
import dev.contrail.redaction.Redaction;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/** Looks for text in payloads, as they may be seen, and shows how far it has come. */
final class PayloadGrep implements NewestEntries.Search, AutoCloseable {
  /** What is looked for. */
  record Wanted(Pattern pattern) {}

  private final Wanted wanted;
  private final Redaction redaction;
  private final Surroundings surroundings;
  private @Nullable Progress progress;

  PayloadGrep(Wanted wanted, Redaction redaction, Surroundings surroundings) {
    this.wanted = wanted;
    this.redaction = redaction;
    this.surroundings = surroundings;
  }

  @Override
  public boolean accepts(DeadLetter letter) {
    byte[] payload = redaction.apply(letter.message().payload());
    return wanted.pattern().matcher(new String(payload, StandardCharsets.UTF_8)).find();
  }

  @Override
  public void progress(long done, long all) {
    Progress shown = progress;
    if (shown == null) {
      if (done >= all) {
        return;
      }
      shown =
          new Progress(
              surroundings.err(), surroundings.terminal(), "Searching", all, System::nanoTime);
      progress = shown;
    }
    shown.done(done);
  }

  @Override
  public void close() {
    if (progress != null) {
      progress.close();
    }
  }

  static final class Expression implements ITypeConverter<Wanted> {
    @Override
    public Wanted convert(String text) {
      try {
        return new Wanted(Pattern.compile(text));
      } catch (PatternSyntaxException e) {
        throw new BadValueException(
            "'" + text + "' is no regular expression (" + e.getDescription() + ")");
      }
    }
  }
}
