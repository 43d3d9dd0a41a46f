package dev.contrail.jetstream;

import dev.contrail.Header;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The original header block of a message that a guarded connection had to rewrite. */
public final class RawHeaders {
  private RawHeaders() {}

  /**
   * The header block as the publisher sent it, from {@code NATS/1.0} to the empty line, if the
   * connection that received the message had to rewrite it; empty when the message's headers are
   * the publisher's own. A header of the same name that a publisher sets is never taken for it.
   */
  public static Optional<byte[]> of(Message message) {
    Headers headers = message.getHeaders();
    if (headers == null) {
      return Optional.empty();
    }
    String encoded = headers.getFirst(WireHeaders.RAW);
    return encoded == null || !Contrail.isGuarded(message.getConnection())
        ? Optional.empty()
        : Optional.of(Base64.getDecoder().decode(encoded));
  }

  /** The headers of a message as the publisher sent them. */
  public static dev.contrail.Headers headers(Message message) {
    return of(message)
        .map(dev.contrail.Headers::parse)
        .orElseGet(() -> headers(message.getHeaders()));
  }

  /** Headers that a client has read; names in no particular order, values in theirs. */
  public static dev.contrail.Headers headers(@Nullable Headers headers) {
    if (headers == null) {
      return dev.contrail.Headers.none();
    }
    List<Header> lines = new ArrayList<>(headers.size() + 4);
    for (Map.Entry<String, List<String>> entry : headers.entrySet()) {
      for (String value : entry.getValue()) {
        lines.add(new Header(entry.getKey(), value));
      }
    }
    return dev.contrail.Headers.of(lines);
  }

  /** Headers as the client publishes them. */
  static Headers toClient(dev.contrail.Headers headers) {
    Headers client = new Headers();
    for (Header header : headers) {
      client.add(header.name(), header.value());
    }
    return client;
  }
}
