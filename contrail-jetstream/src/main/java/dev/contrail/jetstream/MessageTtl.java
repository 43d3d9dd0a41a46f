package dev.contrail.jetstream;

import dev.contrail.Durations;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long a message lives that says so itself, on a stream that heeds it. */
final class MessageTtl {
  private static final Logger log = LoggerFactory.getLogger(MessageTtl.class);
  private static final String HEADER = "Nats-TTL";
  private static final String NEVER = "never";

  private volatile boolean heeded;

  /** Whether the stream heeds it; others keep such messages like any. */
  void heeded(boolean byStream) {
    heeded = byStream;
  }

  Optional<Duration> of(Message message) {
    Headers headers = heeded ? message.getHeaders() : null;
    String text = headers == null ? null : headers.getFirst(HEADER);
    return text == null || text.equalsIgnoreCase(NEVER) ? Optional.empty() : parse(text.strip());
  }

  /** Seconds, or a duration. */
  private static Optional<Duration> parse(String text) {
    try {
      boolean seconds = !text.isEmpty() && text.chars().allMatch(Character::isDigit);
      return Optional.of(Durations.parse(HEADER, seconds ? text + "s" : text));
    } catch (IllegalArgumentException e) {
      log.debug("a message with a time to live that is none: {}", e.getMessage());
      return Optional.empty();
    }
  }
}
