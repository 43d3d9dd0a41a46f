package dev.contrail.cli.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.LoggerFactory;

/** How much Contrail says of what it does. A command that answers once says only what is wrong. */
public final class Logs {
  private static final String OURS = "dev.contrail";

  private Logs() {}

  /** For commands that go on and on: what happens, not only what goes wrong. */
  public static void showEvents() {
    set(Level.INFO);
  }

  /**
   * For services: the same, each event as fields on a line.
   *
   * @param form how lines are written; JSON is the command's answer and goes to standard output
   * @param columns how many characters fit into a line of a terminal
   */
  public static void showFields(LogLine.Form form, int columns) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    FieldEncoder encoder = new FieldEncoder(form, columns);
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget(form == LogLine.Form.JSON ? "System.out" : "System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(appender);
    showEvents();
  }

  /** For commands that tell it all in their own way. */
  public static void showNothing() {
    Logger logger = (Logger) LoggerFactory.getLogger(OURS);
    if (logger.getLevel() != Level.DEBUG) {
      logger.setLevel(Level.OFF);
    }
  }

  /** For those who asked for details. */
  public static void showDetails() {
    set(Level.DEBUG);
  }

  private static void set(Level level) {
    Logger logger = (Logger) LoggerFactory.getLogger(OURS);
    Level current = logger.getLevel();
    if (current == null || level.levelInt < current.levelInt) {
      logger.setLevel(level);
    }
  }
}
