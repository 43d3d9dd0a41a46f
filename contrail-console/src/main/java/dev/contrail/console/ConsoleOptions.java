package dev.contrail.console;

import dev.contrail.redaction.Redaction;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What pages show.
 *
 * @param redaction what is blanked out of messages
 * @param drillReports a folder with reports of drills
 */
public record ConsoleOptions(Redaction redaction, Optional<Path> drillReports) {
  /** Everything, and no reports. */
  public static final ConsoleOptions DEFAULT = new ConsoleOptions(Redaction.NONE, Optional.empty());
}
