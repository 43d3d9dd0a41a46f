package dev.contrail.operations.view;

import dev.contrail.Header;
import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.operations.index.IndexEntry;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A dead letter as scripts see it: fields in a stable order, under names that do not change. */
public final class EntryFields {
  // What contrail work says of a command that failed, before what the command said.
  private static final Pattern OF_COMMAND =
      Pattern.compile("the command [a-zA-Z ]+ \\((exit \\d+)\\): (.+)", Pattern.DOTALL);

  /** The names of the fields of a list, in their order. */
  public static final List<String> NAMES =
      List.of(
          "id",
          "state",
          "reason",
          "stream",
          "sequence",
          "consumer",
          "subject",
          "deliveries",
          "exceptionClass",
          "exceptionMessage",
          "fingerprint",
          "deadAt",
          "publishedAt",
          "payloadBytes",
          "payloadSha256",
          "appVersion",
          "redacted");

  private EntryFields() {}

  /** The exception and its message, on one line. */
  public static String whatHappened(DeadLetterSummary summary) {
    String type = summary.exceptionClass();
    return type.substring(type.lastIndexOf('.') + 1) + ": " + summary.exceptionMessage();
  }

  /** The same for where little room is: what tells most comes first. */
  public static String inBrief(DeadLetterSummary summary) {
    Matcher ofCommand = OF_COMMAND.matcher(summary.exceptionMessage());
    if (ofCommand.matches()) {
      return ofCommand.group(2) + " (" + ofCommand.group(1) + ")";
    }
    String type = summary.exceptionClass();
    String simple = type.substring(type.lastIndexOf('.') + 1);
    return summary.exceptionMessage().isEmpty()
        ? simple
        : summary.exceptionMessage() + " (" + simple + ")";
  }

  public static Map<String, Object> of(IndexEntry entry) {
    return of(entry.summary(), entry.state());
  }

  private static Map<String, Object> of(DeadLetterSummary summary, EntryState state) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", summary.id().toString());
    fields.put("state", state.status().text());
    fields.put("reason", summary.reason().text());
    fields.put("stream", summary.id().stream());
    fields.put("sequence", summary.id().sequence());
    fields.put("consumer", summary.id().consumer());
    fields.put("subject", summary.subject());
    fields.put("deliveries", summary.deliveries());
    fields.put("exceptionClass", summary.exceptionClass());
    fields.put("exceptionMessage", summary.exceptionMessage());
    fields.put("fingerprint", summary.fingerprint());
    fields.put("deadAt", summary.deadAt().toString());
    fields.put("publishedAt", summary.publishedAt().toString());
    fields.put("payloadBytes", summary.payloadBytes());
    fields.put("payloadSha256", summary.payloadSha256());
    fields.put("appVersion", summary.appVersion().orElse(""));
    fields.put("redacted", summary.redacted());
    return fields;
  }

  public static Map<String, Object> of(
      DeadLetter letter,
      EntryState state,
      List<Event> events,
      Map<Integer, List<String>> differences) {
    Map<String, Object> fields = of(DeadLetterSummary.of(letter), state);
    fields.put("returnedAs", state.returnedAs().map(DeadLetterId::toString).orElse(""));
    fields.put("version", state.version());
    fields.put("rootCauseClass", letter.death().failure().rootCauseClass());
    fields.put("worker", letter.death().witness().worker());
    fields.put("headers", headers(letter));
    fields.put("stackTrace", letter.death().failure().stackTrace());
    fields.put("payload", letter.message().payload());
    text(letter.message().payload()).ifPresent(text -> fields.put("payloadText", text));
    fields.put(
        "events", events.stream().map(event -> HistoryFields.fields(event, differences)).toList());
    return fields;
  }

  /** The payload where it is UTF-8. */
  public static Optional<String> text(byte[] payload) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static Map<String, List<String>> headers(DeadLetter letter) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (Header header : letter.message().headers()) {
      headers.computeIfAbsent(header.name(), name -> new ArrayList<>()).add(header.value());
    }
    return headers;
  }
}
