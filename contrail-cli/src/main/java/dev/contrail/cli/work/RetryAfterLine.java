package dev.contrail.cli.work;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.DurationValue;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the line {@code retry-after: 30s} among what a command prints; the last one counts. */
final class RetryAfterLine implements Consumer<String> {
  private static final Logger log = LoggerFactory.getLogger(RetryAfterLine.class);
  private static final String NAME = "retry-after:";

  private volatile @Nullable String value;

  @Override
  public void accept(String line) {
    String text = line.strip();
    if (text.toLowerCase(Locale.ROOT).startsWith(NAME)) {
      value = text.substring(NAME.length()).strip();
    }
  }

  /** The delay asked for; nothing where there was no such line, or none that can be read. */
  Optional<Duration> delay() {
    String text = value;
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(DurationValue.parse(text));
    } catch (BadValueException e) {
      log.warn("the command's retry-after line is left out: {}", e.sentence());
      return Optional.empty();
    }
  }
}
