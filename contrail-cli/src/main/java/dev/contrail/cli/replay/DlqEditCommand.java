package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.replay.Edits;
import dev.contrail.operations.replay.Standing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  /** What came of it, as scripts see it. */
  record Edited(String id, boolean changed, int version, long bytes, List<String> difference) {}

  DlqEditCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() throws InterruptedException {
    DeadLetterId wanted = Ids.parse(id);
    Editor editor = Editor.of(tools.surroundings().env());
    byte[] before;
    int version;
    try (Session session = tools.sessions().get()) {
      Standing standing =
          tools.selections(session).standing(wanted).orElseThrow(() -> Ids.unknown(wanted));
      version = standing.state().version();
      before = payload(session, wanted, version);
    }
    if (!PayloadDiff.isText(before)) {
      throw CommandFailure.failed(
          "the payload of "
              + wanted
              + " is no text; write it to a file with contrail dlq show "
              + wanted
              + " --payload, and replay that with --payload-file");
    }
    return edit(wanted, version, before, editor);
  }

  private byte[] payload(Session session, DeadLetterId wanted, int version) {
    if (version > 0) {
      return tools
          .edits(session)
          .payload(wanted, version)
          .orElseThrow(() -> CommandFailure.failed("version " + version + " is gone"));
    }
    try {
      return new DeadLetters(session.connection(), session.jetStream(), session.names())
          .find(wanted)
          .map(DeadLetter::message)
          .orElseThrow(() -> Ids.unknown(wanted))
          .payload();
    } catch (UnreadableEvidenceException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private int edit(DeadLetterId wanted, int version, byte[] before, Editor editor)
      throws InterruptedException {
    Path file;
    byte[] after;
    try {
      file = Files.createTempFile("contrail-" + wanted.sequence() + "-", ".txt");
      Files.write(file, before);
      editor.edit(file);
      after = Editor.withoutAddedLineEnd(before, Files.readAllBytes(file));
    } catch (IOException e) {
      throw CommandFailure.failed("the payload cannot be edited: " + e.getMessage(), e);
    }
    if (Arrays.equals(before, after)) {
      Editor.delete(file);
      report(new Edited(wanted.toString(), false, version, before.length, List.of()));
      return ExitCode.FINE;
    }
    int stored = store(wanted, after, file);
    Editor.delete(file);
    report(
        new Edited(wanted.toString(), true, stored, after.length, PayloadDiff.of(before, after)));
    return ExitCode.FINE;
  }

  /** Connects only now: nobody knows how long an editor is open. */
  private int store(DeadLetterId wanted, byte[] payload, Path file) {
    try (Session session = tools.sessions().get()) {
      Edits edits = tools.edits(session);
      EntryState state = edits.edit(wanted, payload, person.name());
      return state.version();
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
