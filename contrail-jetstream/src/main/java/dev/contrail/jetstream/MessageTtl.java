package dev.contrail.jetstream;

import dev.contrail.Durations;
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

  Optional<Duration> of(Delivered message) {
    return heeded
        ? message
            .headers()
            .first(HEADER)
            .filter(text -> !text.equalsIgnoreCase(NEVER))
            .flatMap(text -> parse(text.strip()))
        : Optional.empty();
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
