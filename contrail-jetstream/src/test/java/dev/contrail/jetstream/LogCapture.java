package dev.contrail.jetstream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What Contrail logs while this is open. */
final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.contrail");
  private final Level before = logger.getLevel();
  private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

  /** From INFO on. */
  LogCapture() {
    this(Level.INFO);
  }

  LogCapture(Level least) {
    setContext(logger.getLoggerContext());
    start();
    logger.setLevel(least);
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    events.add(event);
  }

  List<String> at(Level level) {
    return events.stream()
        .filter(event -> event.getLevel().equals(level))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  /** The fields of every line that has such an event, in their order. */
  List<Map<String, Object>> fields(String event) {
    return events.stream()
        .map(LogCapture::fields)
        .filter(it -> event.equals(it.get("event")))
        .toList();
  }

  private static Map<String, Object> fields(ILoggingEvent event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (event.getKeyValuePairs() != null) {
      event.getKeyValuePairs().forEach(pair -> fields.put(pair.key, pair.value));
    }
    return fields;
  }

  /** All that could be written of it, whoever writes it. */
  List<String> everything() {
    return events.stream()
        .map(
            event ->
                event.getFormattedMessage()
                    + fields(event)
                    + (event.getThrowableProxy() == null
                        ? ""
                        : ThrowableProxyUtil.asString(event.getThrowableProxy())))
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(before);
    stop();
  }
}
