package dev.contrail.cli.command;

import dev.contrail.redaction.Redaction;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** What nobody gets to see of messages, in whatever shows or exports them. */
@HelpGroup(heading = "Everywhere", order = 90)
public final class RedactionOptions {
  @Option(
      names = "--redact-header",
      paramLabel = "NAME",
      split = ",",
      scope = ScopeType.INHERIT,
      description = "blank out the values of this header wherever messages are shown; repeatable")
  List<String> headers = new ArrayList<>();

  @Option(
      names = "--redact-json",
      paramLabel = "PATH",
      split = ",",
      scope = ScopeType.INHERIT,
      description =
          "blank out what is at this path of JSON payloads, such as $.card.number or $..password;"
              + " repeatable")
  List<String> paths = new ArrayList<>();

  /**
   * The rules.
   *
   * @throws CommandFailure when one is malformed
   */
  public Redaction redaction() {
    try {
      return Redaction.of(headers, paths);
    } catch (IllegalArgumentException e) {
      String sentence = String.valueOf(e.getMessage());
      throw CommandFailure.usage("--redact-json: " + sentence.substring(0, sentence.length() - 1));
    }
  }
}
