package dev.contrail.simulation.net;

import dev.contrail.simulation.model.ApiError;
import dev.contrail.simulation.model.Header;
import dev.contrail.simulation.model.StoredMessage;
import io.nats.client.impl.Headers;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the server and its clients write things down. */
final class WireFormat {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private WireFormat() {}

  static List<Header> headers(@Nullable Headers headers) {
    if (headers == null || headers.isEmpty()) {
      return List.of();
    }
    List<Header> lines = new ArrayList<>();
    dev.contrail.Headers.parse(headers.getSerialized())
        .forEach(line -> lines.add(new Header(line.name(), line.value())));
    return lines;
  }

  static @Nullable Headers toClient(List<Header> lines) {
    if (lines.isEmpty()) {
      return null;
    }
    Headers headers = new Headers();
    lines.forEach(line -> headers.add(line.name(), line.value()));
    return headers;
  }

  static byte[] block(List<Header> lines) {
    return dev.contrail.Headers.of(
            lines.stream().map(line -> new dev.contrail.Header(line.name(), line.value())).toList())
        .block();
  }

  static String time(long nanos) {
    return Instant.ofEpochSecond(nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND).toString();
  }

  static String message(StoredMessage stored) {
    return "{\"message\":{\"subject\":"
        + quoted(stored.subject())
        + ",\"seq\":"
        + stored.sequence()
        + (stored.headers().isEmpty()
            ? ""
            : ",\"hdrs\":\"" + base64(block(stored.headers())) + "\"")
        + ",\"data\":\""
        + base64(stored.payload().bytes())
        + "\",\"time\":\""
        + time(stored.nanos())
        + "\"}}";
  }

  static String error(ApiError error) {
    return "{\"error\":{\"code\":400,\"err_code\":"
        + error.code()
        + ",\"description\":\""
        + error
        + "\"}}";
  }

  static String quoted(String text) {
    return new JsonValue(text).toJson();
  }

  static JsonValue parse(byte[] json) {
    try {
      return json.length == 0 ? JsonValue.EMPTY_MAP : JsonParser.parse(json);
    } catch (JsonParseException e) {
      throw new IllegalStateException("not JSON: " + new String(json, StandardCharsets.UTF_8), e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
