package dev.contrail.operations.transfer;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.event.EventAddress;
import dev.contrail.event.EventFormat;
import dev.contrail.event.UnreadableEventException;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.DeadLetterArchive.StoredEvent;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An exported dead letter as a line of JSON. Bytes are base64: the payload, and the header block
 * from which it is imported; the headers stand beside it for people to read.
 */
public final class ExportFormat {
  /** The version that this release writes, and the newest that it reads. */
  public static final int VERSION = 1;

  // In subjects of events, in the place of the prefix, which may be another where they are read.
  private static final String ANY_PREFIX = "contrail";

  private ExportFormat() {}

  /** One line, without its end. */
  public static String line(ExportedEntry entry) {
    DeadLetter letter = entry.letter();
    OriginalMessage message = letter.message();
    JsonLine out = new JsonLine();
    out.begin('{').name("exportVersion").plain(VERSION);
    out.field("id", letter.id().toString());
    out.field("subject", message.subject());
    out.field("publishedAt", message.publishedAt().toString());
    lines(out, message.headers());
    out.field("headerBlock", base64(message.headerBlock()));
    out.field("payload", base64(message.payload()));
    out.field("payloadSha256", message.payloadSha256());
    out.name("redacted").plain(letter.redacted());
    death(out, letter.death());
    out.name("events").begin('[');
    entry.events().forEach(event -> event(out, event));
    return out.end(']').end('}').toString();
  }

  private static void death(JsonLine out, Death death) {
    Failure failure = death.failure();
    out.name("death").begin('{');
    out.field("reason", death.reason().text());
    out.field("at", death.at().toString());
    out.name("deliveries").plain(death.deliveries());
    out.field("worker", death.witness().worker());
    out.field("appVersion", death.witness().appVersion().orElse(""));
    out.field("exceptionClass", failure.exceptionClass());
    out.field("exceptionMessage", failure.message());
    out.field("rootCauseClass", failure.rootCauseClass());
    out.field("stackTrace", failure.stackTrace());
    out.field("fingerprint", failure.fingerprint());
    out.end('}');
  }

  private static void event(JsonLine out, StoredEvent event) {
    out.begin('{').field("subject", event.address().subject(ANY_PREFIX));
    lines(out, event.headers());
    out.field("body", base64(event.body())).end('}');
  }

  private static void lines(JsonLine out, Headers headers) {
    out.name("headers").begin('[');
    for (Header header : headers) {
      out.begin('[').text(header.name()).text(header.value()).end(']');
    }
    out.end(']');
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /**
   * The dead letter of a line.
   *
   * @throws UnreadableExportException when the line is none, or of a newer release
   */
  public static ExportedEntry parse(String line) {
    try {
      JsonValue json = JsonParser.parse(line);
      long version = JsonValueUtils.readLong(json, "exportVersion", 0);
      if (version > VERSION) {
        throw new UnreadableExportException(
            "it was written by a newer release (version "
                + version
                + ", this one reads up to "
                + VERSION
                + ")");
      }
      if (version < 1) {
        throw new UnreadableExportException("it has no exportVersion");
      }
      return new ExportedEntry(letter(json), events(json));
    } catch (JsonParseException | IndexOutOfBoundsException e) {
      // The latter where the client's parser stumbles.
      throw new UnreadableExportException("it is not JSON");
    } catch (StackOverflowError e) {
      throw new UnreadableExportException("it is nested too deeply");
    } catch (DateTimeException e) {
      throw new UnreadableExportException("a time in it is none");
    } catch (IllegalArgumentException e) {
      throw new UnreadableExportException(String.valueOf(e.getMessage()).replaceAll("\\.$", ""));
    }
  }

  private static DeadLetter letter(JsonValue json) {
    JsonValue death = JsonValueUtils.readValue(json, "death");
    if (death == null) {
      throw missing("death");
    }
    String reason = text(death, "reason");
    OriginalMessage message =
        new OriginalMessage(
            text(json, "subject"),
            Instant.parse(text(json, "publishedAt")),
            bytes(json, "headerBlock"),
            bytes(json, "payload"));
    if (!message.payloadSha256().equals(text(json, "payloadSha256"))) {
      throw new UnreadableExportException("its payload does not have the hash that it gives");
    }
    return new DeadLetter(
        DeadLetterId.parse(text(json, "id")),
        message,
        new Death(
            Reason.parse(reason)
                .orElseThrow(() -> new UnreadableExportException("'" + reason + "' is no reason")),
            Instant.parse(text(death, "at")),
            JsonValueUtils.readLong(death, "deliveries", 0),
            new Failure(
                text(death, "exceptionClass"),
                text(death, "exceptionMessage"),
                text(death, "rootCauseClass"),
                text(death, "stackTrace"),
                text(death, "fingerprint")),
            new Death.Witness(text(death, "worker"), Optional.of(text(death, "appVersion")))),
        JsonValueUtils.readBoolean(json, "redacted", false));
  }

  private static List<StoredEvent> events(JsonValue json) {
    List<StoredEvent> events = new ArrayList<>();
    DeadLetterId id = DeadLetterId.parse(text(json, "id"));
    for (JsonValue event : JsonValueUtils.readArray(json, "events")) {
      EventAddress address =
          EventAddress.ofSubject(ANY_PREFIX, text(event, "subject"))
              .filter(found -> found.entry().equals(id))
              .orElseThrow(
                  () -> new UnreadableExportException("an event in it is of something else"));
      Headers headers = headers(event);
      readable(address, headers);
      events.add(new StoredEvent(address, headers, bytes(event, "body")));
    }
    return events;
  }

  private static void readable(EventAddress address, Headers headers) {
    try {
      EventFormat.decode(address, headers);
    } catch (UnreadableEventException e) {
      throw new UnreadableExportException(String.valueOf(e.getMessage()).replaceAll("\\.$", ""));
    }
  }

  private static Headers headers(JsonValue event) {
    List<Header> lines = new ArrayList<>();
    for (JsonValue line : JsonValueUtils.readArray(event, "headers")) {
      List<JsonValue> pair = line.array;
      if (pair == null || pair.size() != 2) {
        throw new UnreadableExportException("headers in it are not pairs of name and value");
      }
      lines.add(new Header(string(pair.get(0)), string(pair.get(1))));
    }
    return Headers.of(lines);
  }

  private static String string(JsonValue value) {
    @Nullable String text = value.string;
    if (text == null) {
      throw new UnreadableExportException("a header in it is no text");
    }
    return text;
  }

  private static String text(JsonValue json, String name) {
    @Nullable String text = JsonValueUtils.readString(json, name);
    if (text == null) {
      throw missing(name);
    }
    return text;
  }

  private static byte[] bytes(JsonValue json, String name) {
    return Base64.getDecoder().decode(text(json, name));
  }

  private static UnreadableExportException missing(String name) {
    return new UnreadableExportException("'" + name + "' is missing");
  }
}
