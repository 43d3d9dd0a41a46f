package dev.contrail.cli.dlq;

import dev.contrail.Header;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.PlainText;
import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.EventStore;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.index.NewestEntries;
import dev.contrail.redaction.Redaction;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
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
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final int MOST_SHOWN = 4_096;
  private static final int HEX_SHOWN = 512;
  private static final int HEX_PER_LINE = 16;

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;
  private final OutputStream rawOut;
  private final Supplier<Redaction> redaction;

  /** A dead letter as it may be seen, and its history. */
  private record Shown(DeadLetter letter, EntryState state, EventStore.Listing history) {}

  @Parameters(paramLabel = "ID", description = "as contrail dlq ls shows it")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Option(
      names = "--payload",
      fallbackValue = "true",
      description = "write the payload's bytes to standard output, and nothing else")
  private boolean payloadOnly;

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
    Shown shown = find(parsed());
    DeadLetter letter = shown.letter();
    if (payloadOnly) {
      surroundings.out().flush();
      rawOut.write(letter.message().payload());
      rawOut.flush();
    } else if (json.getAsBoolean()) {
      Json.write(surroundings.out(), Entry.of(letter, shown.state(), shown.history().events()));
    } else {
      print(shown);
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
              .orElseThrow(
                  () ->
                      CommandFailure.failed(
                          "there is no dead letter " + wanted + "; contrail dlq ls lists them"));
      return new Shown(
          rules.apply(letter),
          new NewestEntries(session.connection(), session.jetStream(), session.names())
              .state(wanted),
          events(session, wanted));
    } catch (UnreadableEvidenceException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
    }
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

  private void print(Shown shown) {
    DeadLetter letter = shown.letter();
    PrintWriter out = surroundings.out();
    line("id", letter.id());
    line(
        "state",
        shown.state().status().text()
            + shown.state().returnedAs().map(other -> " as " + other).orElse(""));
    line("reason", letter.death().reason().text());
    line("died", letter.death().at() + " on delivery " + letter.death().deliveries());
    line("published", letter.message().publishedAt() + " to " + letter.message().subject());
    line("worker", letter.death().witness().worker());
    letter.death().witness().appVersion().ifPresent(version -> line("app version", version));
    line("exception", letter.death().failure().exceptionClass());
    line("message", letter.death().failure().message());
    line("fingerprint", letter.death().failure().fingerprint());
    line("payload", letter.message().payload().length + " bytes");
    line("sha-256", letter.message().payloadSha256());
    if (letter.redacted()) {
      line("redacted", "yes: not all of the message is shown");
    }
    if (!shown.history().events().isEmpty()) {
      heading("History");
      for (Event event : shown.history().events()) {
        out.println(
            "  "
                + PlainText.of(
                    TIME.format(event.at()) + "  " + event.by() + "  " + History.words(event)));
      }
    }
    if (!letter.message().headers().isEmpty()) {
      heading("Headers");
      for (Header header : letter.message().headers()) {
        out.println("  " + PlainText.of(header.name() + ": " + header.value()));
      }
    }
    if (!letter.death().failure().stackTrace().isEmpty()) {
      heading("Stack trace");
      letter
          .death()
          .failure()
          .stackTrace()
          .lines()
          .forEach(frame -> out.println("  " + PlainText.of(frame.replace("\t", "    "))));
    }
    heading("Payload");
    payload(letter.message().payload());
    out.flush();
  }

  private void line(String name, Object value) {
    surroundings
        .out()
        .println(String.format("%-12s  %s", name, PlainText.of(String.valueOf(value))));
  }

  private void heading(String name) {
    surroundings.out().println();
    surroundings.out().println(name);
  }

  private void payload(byte[] payload) {
    PrintWriter out = surroundings.out();
    Optional<String> text = Entry.text(payload);
    if (text.isPresent()) {
      String shown = text.get().substring(0, Math.min(MOST_SHOWN, text.get().length()));
      shown.lines().forEach(line -> out.println("  " + PlainText.of(line)));
    } else {
      hex(payload);
    }
    int shown = text.isPresent() ? MOST_SHOWN : HEX_SHOWN;
    if (payload.length > shown) {
      out.println("  … (--payload writes all " + payload.length + " bytes)");
    }
  }

  private void hex(byte[] payload) {
    HexFormat format = HexFormat.ofDelimiter(" ");
    int end = Math.min(HEX_SHOWN, payload.length);
    for (int from = 0; from < end; from += HEX_PER_LINE) {
      int to = Math.min(from + HEX_PER_LINE, end);
      surroundings
          .out()
          .println(String.format("  %06x  %s", from, format.formatHex(payload, from, to)));
    }
  }
}
