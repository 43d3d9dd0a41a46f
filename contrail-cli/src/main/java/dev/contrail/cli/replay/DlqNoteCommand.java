package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.evidence.DeadLetterId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code contrail dlq note}: writes something down beside a dead letter. */
@Command(
    name = "note",
    header = "Write something down beside a dead letter",
    customSynopsis = "@|bold contrail dlq note|@ ID TEXT [OPTIONS]",
    description = "Adds a text to the history of a dead letter.",
    footer = {
      "",
      "@|bold Example|@",
      "  contrail dlq note ORDERS.billing.ho77nadw1d.42 \"waits for the bank's answer\""
    })
final class DlqNoteCommand implements Callable<Integer> {
  private static final int LONGEST = 8_192;

  private final Tools tools;

  @Mixin private final Person person = new Person();

  @Parameters(index = "0", paramLabel = "ID", description = "as contrail dlq ls shows it")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "TEXT",
      description = "what to write down")
  private List<String> words = new ArrayList<>();

  /** What was written down, as scripts see it. */
  record Noted(String id, String by, String note) {}

  DlqNoteCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() {
    DeadLetterId wanted = Ids.parse(id);
    String text = String.join(" ", words);
    if (text.isBlank() || text.length() > LONGEST) {
      throw CommandFailure.usage(
          "TEXT has " + text.strip().length() + " characters; accepted are 1 to " + LONGEST);
    }
    try (Session session = tools.sessions().get()) {
      if (tools.selections(session).standing(wanted).isEmpty()) {
        throw Ids.unknown(wanted);
      }
      tools.decisions(session, person.name(), false).note(wanted, text);
    }
    if (tools.wantsJson()) {
      tools.answerJson(new Noted(wanted.toString(), person.name(), text));
    } else {
      tools.answer("Noted.");
    }
    return ExitCode.FINE;
  }
}
