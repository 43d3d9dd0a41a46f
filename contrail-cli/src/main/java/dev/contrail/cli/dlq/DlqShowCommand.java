package dev.contrail.cli.dlq;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.event.Event;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.index.NewestEntries;
import dev.contrail.operations.replay.Edits;
import dev.contrail.operations.view.EntryFields;
import dev.contrail.operations.view.PlainText;
import dev.contrail.redaction.Redaction;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code contrail dlq show ID}: all of one dead letter. */
@Command(
    name = "show",
    header = "Show all of one dead letter",
    customSynopsis = "@|bold contrail dlq show|@ ID [--payload] [OPTIONS]",
    description = "Shows what died, of what, what was done about it, and the payload.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq show ORDERS.billing.ho77nadw1d.42",
      "  contrail dlq show ORDERS.billing.ho77nadw1d.42 --payload > order.json"
    })
public final class DlqShowCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;
  private final OutputStream rawOut;
  private final Supplier<Redaction> redaction;

  @Parameters(paramLabel = "ID", description = "as contrail dlq ls shows it")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Option(
      names = "--payload",
      fallbackValue = "true",
      description = "write the payload's bytes to standard output, and nothing else")
  private boolean payloadOnly;

  @Option(
      names = "--payload-version",
      paramLabel = "N",
      converter = Version.class,
      description = "with --payload: of this version of what was edited (0, the original)")
  private int payloadVersion;

  static final class Version extends NumberValue {
    Version() {
      super(0, 1_000_000);
    }
  }

  /**
   * Of what is around.
   *
   * @param rawOut standard output for bytes
   */
  public DlqShowCommand(
      Surroundings surroundings,
      Supplier<Session> sessions,
      BooleanSupplier json,
      OutputStream rawOut,
      Supplier<Redaction> redaction) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
    this.rawOut = rawOut;
    this.redaction = redaction;
  }

  @Override
  public Integer call() throws IOException {
    DeadLetterId wanted = parsed();
    if (payloadOnly) {
      byte[] payload = payload(wanted);
      surroundings.out().flush();
      rawOut.write(payload);
      rawOut.flush();
      return ExitCode.FINE;
    }
    if (payloadVersion > 0) {
      throw CommandFailure.usage("--payload-version is for --payload");
    }
    Shown shown = find(wanted);
    DeadLetter letter = shown.letter();
    if (json.getAsBoolean()) {
      Json.write(
          surroundings.out(),
          EntryFields.of(letter, shown.state(), shown.history().events(), shown.differences()));
    } else {
      new ShownText(surroundings.out()).print(shown);
    }
    shown
        .history()
        .unreadable()
        .forEach(why -> surroundings.err().println("contrail: " + PlainText.of(why)));
    return shown.history().unreadable().isEmpty() ? ExitCode.FINE : ExitCode.FAILED;
  }

  private DeadLetterId parsed() {
    try {
      return DeadLetterId.parse(id);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  private Shown find(DeadLetterId wanted) {
    Redaction rules = redaction.get();
    try (Session session = sessions.get()) {
      DeadLetter letter =
          new DeadLetters(session.connection(), session.jetStream(), session.names())
              .find(wanted)
              .orElseThrow(() -> unknown(wanted));
      EventStore.Listing history = events(session, wanted);
      return new Shown(
          rules.apply(letter),
          new NewestEntries(session.connection(), session.jetStream(), session.names())
              .state(wanted),
          history,
          differences(session, wanted, history.events(), rules));
    } catch (UnreadableEvidenceException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private byte[] payload(DeadLetterId wanted) {
    Redaction rules = redaction.get();
    try (Session session = sessions.get()) {
      Edits edits = edits(session);
      Optional<byte[]> original = edits.payload(wanted, 0);
      if (original.isEmpty()) {
        throw unknown(wanted);
      }
      return rules.apply(
          (payloadVersion == 0 ? original : edits.payload(wanted, payloadVersion))
              .orElseThrow(
                  () ->
                      CommandFailure.usage(
                          wanted + " has no version " + payloadVersion + " of its payload")));
    } catch (UnreadableEvidenceException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private static CommandFailure unknown(DeadLetterId id) {
    return CommandFailure.usage("there is no dead letter " + id + "; contrail dlq ls lists them");
  }

  private static Edits edits(Session session) {
    return new Edits(session.connection(), session.jetStream(), session.names(), Provision.VERIFY);
  }

  private static Map<Integer, List<String>> differences(
      Session session, DeadLetterId id, List<Event> history, Redaction rules) {
    Edits edits = edits(session);
    Map<Integer, List<String>> differences = new HashMap<>();
    for (Event event : history) {
      if (event.fact() instanceof Step.Edited edited) {
        edits
            .difference(id, edited.version(), rules)
            .ifPresent(it -> differences.put(edited.version(), it.lines().toList()));
      }
    }
    return differences;
  }

  private static EventStore.Listing events(Session session, DeadLetterId id) {
    try {
      return new EventStore(session.connection(), session.jetStream(), session.names())
          .events(id)
          .join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof ContrailException cause ? cause : e;
    }
  }
}
