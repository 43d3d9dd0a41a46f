package dev.contrail.cli.transfer;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.PlainText;
import dev.contrail.cli.output.Progress;
import dev.contrail.event.UnreadableEventException;
import dev.contrail.operations.transfer.ExportFormat;
import dev.contrail.operations.transfer.ExportedEntry;
import dev.contrail.operations.transfer.ForeignStream;
import dev.contrail.operations.transfer.HeaderMapping;
import dev.contrail.operations.transfer.Importer;
import dev.contrail.operations.transfer.Importer.Result;
import dev.contrail.operations.transfer.UnreadableExportException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
  private final Map<Result, Long> results = new EnumMap<>(Result.class);
  private int unreadable;

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
    List<Path> files = source == null ? List.of() : files(surroundings.folder().resolve(source));
    try (Session session = sessions.get()) {
      if (fromStream != null) {
        foreign(session, fromStream, mapping);
      } else {
        Importer importer = importer(session, String.valueOf(source));
        files.forEach(file -> lines(importer, file));
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

  private static List<Path> files(Path path) {
    if (!Files.isReadable(path)) {
      throw CommandFailure.usage("there is no file or folder " + path + " that can be read");
    }
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> all = Files.list(path)) {
      return all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw CommandFailure.usage("the folder " + path + " cannot be read", e);
    }
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

  private void lines(Importer importer, Path file) {
    int number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          line(importer, file.getFileName() + " line " + number, line);
        }
      }
    } catch (IOException e) {
      throw CommandFailure.failed(
          file + " cannot be read beyond line " + number + "; what was imported before it stays",
          e);
    }
  }

  private void line(Importer importer, String place, String line) {
    try {
      store(importer, ExportFormat.parse(line));
    } catch (UnreadableExportException | UnreadableEventException e) {
      unreadable++;
      say(place + ": " + e.getMessage());
    }
  }

  private void foreign(Session session, String stream, HeaderMapping mapping) {
    ForeignStream old =
        new ForeignStream(
            session.connection(),
            session.jetStream(),
            stream,
            mapping,
            new ForeignStream.Defaults(Optional.ofNullable(ofStream), ofConsumer));
    Importer importer = importer(session, "stream " + stream);
    long first = Math.max(1, old.firstSequence());
    try (Progress progress =
        new Progress(
            surroundings.err(),
            surroundings.terminal(),
            "Importing",
            Math.max(0, old.lastSequence() - first + 1),
            System::nanoTime)) {
      for (long at = first; at <= old.lastSequence(); at++) {
        try {
          old.read(at).ifPresent(entry -> store(importer, entry));
        } catch (IllegalArgumentException e) {
          unreadable++;
          say("message " + at + " of " + stream + ": " + e.getMessage());
        }
        progress.done(at - first + 1);
      }
    }
  }

  private void store(Importer importer, ExportedEntry entry) {
    Result result = importer.store(entry);
    results.merge(result, 1L, Long::sum);
    if (result == Result.REOPENED) {
      say(
          entry.letter().id()
              + " was being replayed where it comes from; it is open here, and what became of that"
              + " copy is not known here");
    } else if (result == Result.OTHER_LETTER) {
      say(entry.letter().id() + " is the id of another dead letter here; left out");
    } else if (result == Result.OTHER_HISTORY) {
      say(entry.letter().id() + " has another history here, which it keeps; left out");
    } else if (result == Result.PAYLOAD_MISSING) {
      say(
          entry.letter().id()
              + " was edited, and its export does not hold the payload of that; left out");
    }
  }

  private int report() {
    long reopened = results.getOrDefault(Result.REOPENED, 0L);
    long imported = results.getOrDefault(Result.IMPORTED, 0L) + reopened;
    long there = results.getOrDefault(Result.THERE, 0L);
    long conflicts =
        results.getOrDefault(Result.OTHER_LETTER, 0L)
            + results.getOrDefault(Result.OTHER_HISTORY, 0L);
    long incomplete = results.getOrDefault(Result.PAYLOAD_MISSING, 0L);
    if (json.getAsBoolean()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("imported", imported);
      fields.put("there", there);
      fields.put("conflicts", conflicts);
      fields.put("incomplete", incomplete);
      fields.put("unreadable", unreadable);
      fields.put("reopened", reopened);
      Json.write(surroundings.out(), fields);
    } else {
      surroundings
          .out()
          .println(
              String.format(
                  Locale.ROOT,
                  "%d imported, %d were there, %d in conflict with what is here, %d incomplete,"
                      + " %d unreadable.",
                  imported,
                  there,
                  conflicts,
                  incomplete,
                  unreadable));
      surroundings.out().flush();
    }
    return conflicts + incomplete + unreadable == 0 ? ExitCode.FINE : ExitCode.FAILED;
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

  private void say(String sentence) {
    surroundings.err().println("contrail: " + PlainText.of(sentence));
    surroundings.err().flush();
  }
}
