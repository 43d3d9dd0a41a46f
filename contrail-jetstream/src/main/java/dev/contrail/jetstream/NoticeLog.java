package dev.contrail.jetstream;

import dev.contrail.jetstream.ConsumerNotice.Kind;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes notices to the log: a line for people, and the same as fields for programs. Which message
 * it is about is said by its sequence, never by what is in it.
 */
final class NoticeLog {
  private static final Logger log = LoggerFactory.getLogger(ContrailConsumer.class);

  private final ConsumerIdentity identity;

  NoticeLog(ConsumerIdentity identity) {
    this.identity = identity;
  }

  /**
   * One line.
   *
   * @param fields in this order, after those that all lines have
   */
  void write(Level level, Kind kind, String text, Map<String, ?> fields) {
    if (!log.isEnabledForLevel(level)) {
      return;
    }
    LoggingEventBuilder line =
        log.atLevel(level)
            .addKeyValue("event", event(kind))
            .addKeyValue("stream", identity.stream())
            .addKeyValue("consumer", identity.consumer());
    for (Map.Entry<String, ?> field : fields.entrySet()) {
      line = line.addKeyValue(field.getKey(), field.getValue());
    }
    line.log("{}: {}", identity, text);
  }

  /** Deaths, holds and the breaker have the names by which other parts of Contrail log them. */
  private static String event(Kind kind) {
    return switch (kind) {
      case DEAD -> "dead-letter";
      case STORE_DOWN, REFUSED -> "hold.began";
      case STORE_BACK, REFUSED_NO_MORE -> "hold.ended";
      case BREAKER_OPENED -> "breaker.opened";
      case BREAKER_CLOSED -> "breaker.closed";
      default -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    };
  }
}
