package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.operations.replay.Edits;
import dev.contrail.operations.replay.PayloadDifference;
import dev.contrail.operations.replay.Standing;
import dev.contrail.redaction.Redaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code contrail dlq edit ID}: another payload for a dead letter. */
@Command(
    name = "edit",
    header = "Edit the payload that is to be replayed",
    customSynopsis = "@|bold contrail dlq edit|@ ID [OPTIONS]",
    description = {
      "Opens the payload in $EDITOR and stores what you make of it beside the original, which never"
          + " changes. contrail dlq replay publishes the newest version.",
      "The idempotency key of an edited copy is another one: it counts as another message."
    },
    footer = {
      "",
      "@|bold Example|@",
      "  EDITOR=nano contrail dlq edit ORDERS.billing.ho77nadw1d.42"
    })
final class DlqEditCommand implements Callable<Integer> {
  private final Tools tools;

  @Mixin private final Person person = new Person();

  @Parameters(paramLabel = "ID", description = "as contrail dlq ls shows it")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Option(
      names = "--force",
      fallbackValue = "true",
      description = "store it also with [redacted] where something was blanked out")
  private boolean force;

  /** What came of it, as scripts see it. */
  record Edited(String id, boolean changed, int version, long bytes, List<String> difference) {}

  /** What is to be edited. */
  @SuppressWarnings("ArrayRecordComponent") // made to be carried, not to be compared
  private record Before(Standing standing, byte[] payload) {
    private DeadLetterId id() {
      return standing.summary().id();
    }

    private int version() {
      return standing.state().version();
    }
  }

  DlqEditCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() throws InterruptedException {
    DeadLetterId wanted = Ids.parse(id);
    Editor editor = Editor.of(tools.surroundings().env());
    Before before = before(wanted);
    if (!PayloadDifference.isText(before.payload())) {
      throw CommandFailure.failed(
          "the payload of "
              + wanted
              + " is no text; write it to a file with contrail dlq show "
              + wanted
              + " --payload, and replay that with --payload-file");
    }
    return edit(before, editor);
  }

  private Before before(DeadLetterId wanted) {
    try (Session session = tools.sessions().get()) {
      Standing standing =
          tools.selections(session).standing(wanted).orElseThrow(() -> Ids.unknown(wanted));
      // Before somebody writes what cannot be stored.
      tools.edits(session).requireEditable(wanted, standing.state());
      return new Before(standing, payload(session, wanted, standing.state().version()));
    }
  }

  private byte[] payload(Session session, DeadLetterId wanted, int version) {
    try {
      return tools
          .edits(session)
          .payload(wanted, version)
          .orElseThrow(
              () ->
                  version == 0
                      ? Ids.unknown(wanted)
                      : CommandFailure.failed(
                          "version " + version + " of the payload of " + wanted + " is gone"));
    } catch (UnreadableEvidenceException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private int edit(Before before, Editor editor) throws InterruptedException {
    byte[] after;
    Path file;
    try {
      file = editor.open(before.id().sequence(), before.payload());
      after = Editor.withoutAddedLineEnd(before.payload(), Files.readAllBytes(file));
    } catch (IOException e) {
      throw CommandFailure.failed("the payload cannot be edited: " + e.getMessage(), e);
    }
    if (Arrays.equals(before.payload(), after)) {
      Editor.delete(file);
      report(new Edited(before.id().toString(), false, before.version(), after.length, List.of()));
      return ExitCode.FINE;
    }
    Edits.Edit stored = store(before, after, file);
    Editor.delete(file);
    if (stored.version() > before.version() + 1) {
      tools.say(
          "somebody stored version "
              + (stored.version() - 1)
              + " meanwhile; yours is the next, and is without what they changed");
    }
    Redaction rules = tools.redaction().get();
    String difference =
        rules.isNone() ? stored.difference() : Edits.seen(rules, before.payload(), after);
    report(
        new Edited(
            before.id().toString(),
            true,
            stored.version(),
            after.length,
            difference.lines().toList()));
    return ExitCode.FINE;
  }

  /** Connects only now: nobody knows how long an editor is open. */
  private Edits.Edit store(Before before, byte[] payload, Path file) {
    try {
      if (before.standing().summary().redacted() && !force) {
        Marks.refuse(before.id(), payload);
      }
      try (Session session = tools.sessions().get()) {
        return tools.edits(session).edit(before.id(), payload, person.name());
      }
    } catch (RuntimeException e) {
      tools.say("what you wrote is in " + file);
      throw e;
    }
  }

  private void report(Edited edited) {
    if (tools.wantsJson()) {
      tools.answerJson(edited);
    } else if (!edited.changed()) {
      tools.answer("Nothing was changed.");
    } else {
      edited.difference().forEach(tools::answer);
      tools.answer(
          "Stored as version "
              + edited.version()
              + "; contrail dlq replay "
              + edited.id()
              + " publishes it.");
    }
  }
}
