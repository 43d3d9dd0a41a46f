package dev.contrail.cli.transfer;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Progress;
import dev.contrail.event.UnreadableEventException;
import dev.contrail.operations.transfer.ExportFormat;
import dev.contrail.operations.transfer.ExportedEntry;
import dev.contrail.operations.transfer.ForeignStream;
import dev.contrail.operations.transfer.HeaderMapping;
import dev.contrail.operations.transfer.Importer;
import dev.contrail.operations.transfer.Importer.Result;
import dev.contrail.operations.transfer.UnreadableExportException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code contrail dlq import}: dead letters from elsewhere. */
@Command(
    name = "import",
    header = "Take in dead letters from a file, or another team's stream",
    customSynopsis =
        "@|bold contrail dlq import|@ (FILE | FOLDER | --from-stream STREAM) [OPTIONS]",
    description =
        "Stores what contrail dlq export wrote under the same ids, with its history; or takes over"
            + " the dead letters of a stream that others filled. To import the same again changes"
            + " nothing.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq import dead.jsonl",
      "  contrail dlq import --from-stream OLD_DLQ --of-stream ORDERS --of-consumer billing",
      "  contrail dlq import --from-stream OLD_DLQ --map message=My-Error --map subject=My-Subject"
    })
public final class DlqImportCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final StorageOptions storage;
  private final BooleanSupplier json;
  private final ImportTally tally = new ImportTally();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "a file of lines, or a folder of files")
  private @Nullable Path source;

  @Option(
      names = "--from-stream",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "take over the messages of this stream, which keeps them")
  private @Nullable String fromStream;

  @Option(
      names = "--of-stream",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "where they died, if their headers do not tell (the stream they are in)")
  private @Nullable String ofStream;

  @Option(
      names = "--of-consumer",
      paramLabel = "CONSUMER",
      converter = NatsNames.Name.class,
      description = "whose they were, if their headers do not tell (unknown)")
  private String ofConsumer = "unknown";

  @Option(
      names = "--map",
      paramLabel = "FIELD=HEADER",
      split = ",",
      description =
          "which header tells what: subject, stream, consumer, exception, message, stacktrace,"
              + " dead-at, deliveries; those of Spring, NServiceBus and plain ones are known")
  private List<String> rules = new ArrayList<>();

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description = "who does this, for the history (user@host)")
  private @Nullable String person;

  public DlqImportCommand(
      Surroundings surroundings,
      Supplier<Session> sessions,
      StorageOptions storage,
      BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.storage = storage;
    this.json = json;
  }

  @Override
  public Integer call() {
    if ((source == null) == (fromStream == null)) {
      throw CommandFailure.usage("say what to import: a FILE, a folder, or --from-stream STREAM");
    }
    HeaderMapping mapping = mapping();
    Optional<ImportFiles> files =
        Optional.ofNullable(source).map(it -> ImportFiles.at(surroundings.folder().resolve(it)));
    try (Session session = sessions.get()) {
      if (fromStream != null) {
        foreign(session, fromStream, mapping);
      } else {
        files.ifPresent(it -> lines(importer(session, String.valueOf(source)), it));
      }
    }
    return report();
  }

  private HeaderMapping mapping() {
    HeaderMapping mapping = HeaderMapping.known();
    try {
      for (String rule : rules) {
        mapping = mapping.with(rule);
      }
    } catch (IllegalArgumentException e) {
      String sentence = String.valueOf(e.getMessage());
      throw CommandFailure.usage("--map: " + sentence.substring(0, sentence.length() - 1));
    }
    return mapping;
  }

  private Importer importer(Session session, String from) {
    return new Importer(
        session.connection(),
        session.jetStream(),
        session.names(),
        storage.provision(),
        from,
        by());
  }

  private void lines(Importer importer, ImportFiles files) {
    try (Progress progress = progress(files.count())) {
      AtomicLong done = new AtomicLong();
      files.read(
          (place, line) -> {
            try {
              store(importer, ExportFormat.parse(line), progress);
            } catch (UnreadableExportException | UnreadableEventException e) {
              tally.addUnreadable();
              say(progress, place + ": " + e.getMessage());
            }
            progress.done(done.incrementAndGet());
          });
    }
  }

  private Progress progress(long total) {
    return new Progress(
        surroundings.err(), surroundings.terminal(), "Importing", total, System::nanoTime);
  }

  private void foreign(Session session, String stream, HeaderMapping mapping) {
    ForeignStream old = foreignStream(session, stream, mapping);
    Importer importer = importer(session, "stream " + stream);
    long first = Math.max(1, old.firstSequence());
    try (Progress progress = progress(Math.max(0, old.lastSequence() - first + 1))) {
      for (long at = first; at <= old.lastSequence(); at++) {
        try {
          old.read(at).ifPresent(entry -> store(importer, entry, progress));
        } catch (IllegalArgumentException e) {
          tally.addUnreadable();
          say(progress, "message " + at + " of " + stream + ": " + e.getMessage());
        }
        progress.done(at - first + 1);
      }
    }
  }

  private ForeignStream foreignStream(Session session, String stream, HeaderMapping mapping) {
    try {
      return new ForeignStream(
          session.connection(),
          session.jetStream(),
          stream,
          mapping,
          new ForeignStream.Defaults(Optional.ofNullable(ofStream), ofConsumer));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("--from-stream: " + e.getMessage(), e);
    }
  }

  private void store(Importer importer, ExportedEntry entry, Progress progress) {
    Result result = importer.store(entry);
    tally.add(result);
    String sentence =
        switch (result) {
          case IMPORTED, THERE -> "";
          case REOPENED ->
              " was being replayed where it comes from; it is open here, and what became of that"
                  + " copy is not known here";
          case OTHER_LETTER -> " is the id of another dead letter here; left out";
          case OTHER_HISTORY -> " has another history here, which it keeps; left out";
          case PAYLOAD_MISSING ->
              " was edited, and its export does not hold the payload of that; left out";
        };
    if (!sentence.isEmpty()) {
      say(progress, entry.letter().id() + sentence);
    }
  }

  private int report() {
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), tally.fields());
    } else {
      surroundings.out().println(tally.inWords());
      surroundings.out().flush();
    }
    return tally.exitCode();
  }

  private String by() {
    if (person != null && !person.isBlank()) {
      return person.strip();
    }
    try {
      return System.getProperty("user.name", "unknown")
          + "@"
          + InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return System.getProperty("user.name", "unknown") + "@unknown";
    }
  }

  private static void say(Progress progress, String sentence) {
    progress.say("contrail: " + sentence);
  }
}
