package dev.contrail.jetstream;

import dev.contrail.Headers;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
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

  Headers headers() {
    byte[] block = base64("hdrs");
    return block.length == 0 ? Headers.none() : Headers.parse(block);
  }

  byte[] data() {
    return base64("data");
  }

  private byte[] base64(String field) {
    return Base64.getDecoder().decode(JsonValueUtils.readString(message, field, ""));
  }
}
