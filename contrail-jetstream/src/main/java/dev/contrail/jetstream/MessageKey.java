package dev.contrail.jetstream;

import io.nats.client.impl.Headers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The key by which a stream tells a message that is published once more. */
final class MessageKey {
  static final String HEADER = "Nats-Msg-Id";

  private MessageKey() {}

  /**
   * The headers with the key.
   *
   * @throws IllegalArgumentException when the key cannot be one, or the headers name another
   */
  static Headers into(@Nullable Headers headers, String key) {
    if (key.isEmpty()
        || key.chars().anyMatch(c -> c < ' ' || c > '~')
        || !key.equals(key.strip())) {
      throw new IllegalArgumentException(
          "“"
              + key
              + "” cannot be the key of a message; accepted is printable ASCII that neither"
              + " begins nor ends with a space");
    }
    Headers with = new Headers(headers);
    List<String> own = with.getIgnoreCase(HEADER);
    if (own != null && !own.equals(List.of(key))) {
      throw new IllegalArgumentException(
          "The headers name "
              + HEADER
              + " "
              + String.join(", ", own)
              + " and the key is "
              + key
              + "; a message has one, so leave the header out.");
    }
    // Under the very name that servers look for.
    with.remove(with.keySet().stream().filter(HEADER::equalsIgnoreCase).toList());
    return with.put(HEADER, key);
  }
}
