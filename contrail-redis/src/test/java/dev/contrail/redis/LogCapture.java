package dev.contrail.redis;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What the ledger logs while this is open, from INFO on. */
final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger(RedisLedger.class);
  private final Level before = logger.getLevel();
  private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

  LogCapture() {
    setContext(logger.getLoggerContext());
    start();
    logger.setLevel(Level.INFO);
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    events.add(event);
  }

  List<String> fromWarningsOn() {
    return from(Level.WARN);
  }

  List<String> from(Level level) {
    return events.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(level))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(before);
    stop();
  }
}
