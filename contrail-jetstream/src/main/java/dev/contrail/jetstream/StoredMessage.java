package dev.contrail.jetstream;

import dev.contrail.Headers;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;

/** A message read from a stream by the API, whatever bytes its headers hold. */
final class StoredMessage {
  private final JsonValue message;

  private StoredMessage(JsonValue message) {
    this.message = message;
  }

  static StoredMessage of(JsonValue answer) {
    return new StoredMessage(
        Objects.requireNonNull(JsonValueUtils.readObject(answer, "message"), "message"));
  }

  /** Its sequence in the stream. */
  long sequence() {
    return JsonValueUtils.readLong(message, "seq", 0);
  }

  String subject() {
    return JsonValueUtils.readString(message, "subject", "");
  }

  Headers headers() {
    return Headers.parse(headerBlock());
  }

  /** No bytes where it has no headers. */
  byte[] headerBlock() {
    return base64("hdrs");
  }

  /** When the stream stored it. */
  Instant time() {
    return Instant.parse(JsonValueUtils.readString(message, "time", ""));
  }

  byte[] data() {
    return base64("data");
  }

  private byte[] base64(String field) {
    return Base64.getDecoder().decode(JsonValueUtils.readString(message, field, ""));
  }
}
