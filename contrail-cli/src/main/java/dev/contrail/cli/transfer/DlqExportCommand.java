package dev.contrail.cli.transfer;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Consent;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.dlq.OpenIndex;
import dev.contrail.cli.dlq.StateOptions;
import dev.contrail.cli.dlq.TriageOptions;
import dev.contrail.cli.output.Progress;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.index.Page;
import dev.contrail.operations.index.PageRequest;
import dev.contrail.operations.index.SortOrder;
import dev.contrail.operations.transfer.ExportFormat;
import dev.contrail.operations.transfer.ExportedEntry;
import dev.contrail.operations.transfer.Exporter;
import dev.contrail.operations.view.PlainText;
import dev.contrail.redaction.Redaction;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code contrail dlq export}: dead letters and their history, to be carried elsewhere. */
@Command(
    name = "export",
    header = "Write dead letters and their history to a file",
    customSynopsis = "@|bold contrail dlq export|@ [FILE | --folder FOLDER] [OPTIONS]",
    description =
        "Writes dead letters, the oldest first, a line of JSON each, or a file each: payload and"
            + " headers byte for byte, and what was decided. What cannot be read, or is gone"
            + " meanwhile, is said and counted.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq export dead.jsonl --stream ORDERS",
      "  contrail dlq export --state open | gzip > dead.jsonl.gz",
      "  contrail dlq export --folder dead --since 2h --redact-json '$..password'"
    })
public final class DlqExportCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final Supplier<Redaction> redaction;

  @Mixin private final TriageOptions triage = new TriageOptions();
  @Mixin private final StateOptions state = new StateOptions();

  @Mixin private final Consent consent = new Consent();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "which to write; - or none for standard output")
  private @Nullable Path file;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "write a file for each there, under its id")
  private @Nullable Path target;

  public DlqExportCommand(
      Surroundings surroundings, Supplier<Session> sessions, Supplier<Redaction> redaction) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.redaction = redaction;
  }

  @Override
  public Integer call() throws InterruptedException {
    EntryFilter.Builder wanted = triage.filter(Clock.systemUTC().instant());
    state.states().forEach(wanted::state);
    Redaction rules = redaction.get();
    if (file != null && target != null) {
      throw CommandFailure.usage("FILE and --folder both say where to write; take one");
    }
    if (target != null && Files.exists(folder()) && !Files.isDirectory(folder())) {
      throw CommandFailure.usage("--folder: '" + target + "' is there and is no folder");
    }
    if (!mayBeWritten()) {
      return nothing();
    }
    try (Session session = sessions.get()) {
      Exporter exporter =
          new Exporter(session.connection(), session.jetStream(), session.names(), rules);
      Page page = page(session, wanted.build());
      page.unreadable().forEach(this::say);
      List<DeadLetterId> ids = page.entries().stream().map(entry -> entry.summary().id()).toList();
      List<DeadLetterId> there = there(ids);
      if (!there.isEmpty() && !consent.asked(surroundings, question(there))) {
        return nothing();
      }
      return write(exporter, ids, page.unreadable().size(), !there.isEmpty());
    } catch (FileAlreadyExistsException e) {
      throw CommandFailure.failed(
          e.getFile() + " appeared while the export ran; it stays, and the export ends here", e);
    } catch (IOException e) {
      throw CommandFailure.failed("the export cannot be written: " + e.getMessage(), e);
    }
  }

  private Page page(Session session, EntryFilter wanted) throws InterruptedException {
    try (DeadLetterIndex index = OpenIndex.of(session, surroundings)) {
      return index.page(
          wanted, new PageRequest(SortOrder.OLDEST, Integer.MAX_VALUE, Optional.empty()));
    }
  }

  /** Whether there is no such file, or it may go. */
  private boolean mayBeWritten() {
    if (file == null || isToStandardOutput()) {
      return true;
    }
    Path path = surroundings.folder().resolve(file);
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw CommandFailure.usage(file + " is there and is no file; FILE is one to write");
    }
    return !Files.exists(path)
        || consent.asked(surroundings, "The file " + file + " is there. Write over it?");
  }

  private int nothing() {
    say("nothing was written");
    return ExitCode.FAILED;
  }

  private Path folder() {
    return surroundings.folder().resolve(String.valueOf(target));
  }

  /** Those of which there is a file in the folder, from an export before. */
  private List<DeadLetterId> there(List<DeadLetterId> ids) {
    return target == null
        ? List.of()
        : ids.stream().filter(id -> Files.exists(ExportTarget.in(folder(), id))).toList();
  }

  private String question(List<DeadLetterId> there) {
    String first = String.valueOf(ExportTarget.in(folder(), there.get(0)).getFileName());
    return there.size() == 1
        ? "The file " + first + " is in " + target + " already. Write over it?"
        : there.size()
            + " of the files are in "
            + target
            + " already, such as "
            + first
            + ". Write over them?";
  }

  private boolean isToStandardOutput() {
    return target == null && (file == null || file.toString().equals("-"));
  }

  private ExportTarget target(boolean overFiles) throws IOException {
    if (target != null) {
      return overFiles
          ? ExportTarget.folder(folder(), StandardCopyOption.REPLACE_EXISTING)
          : ExportTarget.folder(folder());
    }
    return file == null || isToStandardOutput()
        ? ExportTarget.writer(surroundings.out())
        : ExportTarget.file(
            surroundings.folder().resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }

  private int write(Exporter exporter, List<DeadLetterId> ids, int unreadable, boolean overFiles)
      throws IOException {
    if (ids.isEmpty()) {
      say("no dead letters" + triage.inWords() + ", so that there is nothing to export");
    }
    int damaged = unreadable;
    int gone = 0;
    long done = 0;
    try (ExportTarget out = target(overFiles)) {
      try (Progress progress =
          new Progress(
              surroundings.err(),
              surroundings.terminal(),
              "Exporting",
              ids.size(),
              System::nanoTime)) {
        for (DeadLetterId id : ids) {
          try {
            Optional<ExportedEntry> entry = exporter.export(id);
            if (entry.isPresent()) {
              out.write(id, ExportFormat.line(entry.get()));
            } else {
              gone++;
              progress.say(said("The dead letter " + id + " is gone since the export began."));
            }
          } catch (UnreadableEvidenceException e) {
            damaged++;
            progress.say(said(String.valueOf(e.getMessage())));
          }
          progress.done(++done);
        }
      }
      out.finish();
    }
    if (damaged + gone == 0) {
      if (!isToStandardOutput() && !ids.isEmpty()) {
        say(ids.size() + " exported.");
      }
      return ExitCode.FINE;
    }
    say(
        String.format(
            Locale.ROOT,
            "%d exported, %d gone meanwhile, %d unreadable.",
            ids.size() - gone - (damaged - unreadable),
            gone,
            damaged));
    return ExitCode.FAILED;
  }

  private void say(String sentence) {
    surroundings.err().println(said(sentence));
    surroundings.err().flush();
  }

  private static String said(String sentence) {
    return "contrail: " + PlainText.of(sentence);
  }
}
