package dev.contrail.cli.dlq;

import dev.contrail.Header;
import dev.contrail.event.Event;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.Death;
import dev.contrail.operations.view.DeliveryWords;
import dev.contrail.operations.view.EntryFields;
import dev.contrail.operations.view.HistoryFields;
import dev.contrail.operations.view.PlainText;
import java.io.PrintWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** All of one dead letter, for people. */
final class ShownText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final int MOST_SHOWN = 4_096;
  private static final int LONGEST_HEADER = 1_000;
  private static final int HEX_SHOWN = 512;
  private static final int HEX_PER_LINE = 16;

  private final PrintWriter out;

  ShownText(PrintWriter out) {
    this.out = out;
  }

  void print(Shown shown) {
    DeadLetter letter = shown.letter();
    facts(shown);
    if (!shown.history().events().isEmpty()) {
      heading("History");
      shown.history().events().forEach(event -> event(shown, event));
    }
    if (!letter.message().headers().isEmpty()) {
      heading("Headers");
      for (Header header : letter.message().headers()) {
        header(header.name() + ": " + header.value());
      }
    }
    String stackTrace = letter.death().failure().stackTrace();
    if (!stackTrace.isEmpty()) {
      heading("Stack trace");
      stackTrace.lines().forEach(frame -> inside(frame.replace("\t", "    ")));
    }
    heading(shown.state().version() == 0 ? "Payload" : "Payload, as it died");
    payload(letter.message().payload());
    out.flush();
  }

  private void facts(Shown shown) {
    DeadLetter letter = shown.letter();
    Death death = letter.death();
    line("id", letter.id());
    line(
        "state",
        shown.state().status().text()
            + shown.state().returnedAs().map(other -> " as " + other).orElse(""));
    line("reason", death.reason().text());
    line("died", death.at() + " " + DeliveryWords.last(letter));
    line("published", letter.message().publishedAt() + " to " + letter.message().subject());
    line("worker", death.witness().worker());
    death.witness().appVersion().ifPresent(version -> line("app version", version));
    line("exception", death.failure().exceptionClass());
    line("message", death.failure().message());
    line("fingerprint", death.failure().fingerprint());
    line("payload", letter.message().payload().length + " bytes");
    line("sha-256", letter.message().payloadSha256());
    if (letter.redacted()) {
      line("redacted", "yes: not all of the message is shown");
    }
  }

  private void event(Shown shown, Event event) {
    inside(TIME.format(event.at()) + "  " + event.by() + "  " + HistoryFields.words(event));
    if (event.fact() instanceof Step.Edited edited) {
      shown
          .differences()
          .getOrDefault(edited.version(), List.of())
          .forEach(line -> out.println("    " + PlainText.of(line)));
    }
  }

  private void line(String name, Object value) {
    out.println(String.format("%-12s  %s", name, PlainText.of(String.valueOf(value))));
  }

  private void heading(String name) {
    out.println();
    out.println(name);
  }

  private void inside(String text) {
    out.println("  " + PlainText.of(text));
  }

  private void header(String line) {
    String plain = PlainText.of(line);
    boolean cut = plain.length() > LONGEST_HEADER;
    out.println(
        "  "
            + (cut ? start(plain, LONGEST_HEADER) : plain)
            + (cut ? "… (" + line.length() + " characters; --json has all)" : ""));
  }

  /** Without the first half of a character at its end. */
  private static String start(String text, int most) {
    int end = Math.min(most, text.length());
    boolean halved = end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, halved ? end - 1 : end);
  }

  private void payload(byte[] payload) {
    Optional<String> text = EntryFields.text(payload);
    if (text.isPresent()) {
      start(text.get(), MOST_SHOWN).lines().forEach(this::inside);
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
      out.println(String.format("  %06x  %s", from, format.formatHex(payload, from, to)));
    }
  }
}
