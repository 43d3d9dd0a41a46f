package dev.contrail.cli.dlq;

import dev.contrail.Header;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterSummary;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A dead letter as scripts see it: fields in a stable order, under names that do not change. */
final class Entry {
  /** Nothing closes a dead letter yet, so all are open. */
  static final String STATE = "open";

  private Entry() {}

  static Map<String, Object> of(DeadLetterSummary summary) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", summary.id().toString());
    fields.put("state", STATE);
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
    return fields;
  }

  static Map<String, Object> of(DeadLetter letter) {
    Map<String, Object> fields = of(DeadLetterSummary.of(letter));
    fields.put("rootCauseClass", letter.death().failure().rootCauseClass());
    fields.put("worker", letter.death().witness().worker());
    fields.put("appVersion", letter.death().witness().appVersion().orElse(""));
    fields.put("headers", headers(letter));
    fields.put("stackTrace", letter.death().failure().stackTrace());
    fields.put("payload", letter.message().payload());
    text(letter.message().payload()).ifPresent(text -> fields.put("payloadText", text));
    return fields;
  }

  /** The payload where it is UTF-8. */
  static Optional<String> text(byte[] payload) {
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
