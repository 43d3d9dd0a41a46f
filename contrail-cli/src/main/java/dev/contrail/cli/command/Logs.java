package dev.contrail.cli.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** How much Contrail says of what it does. A command that answers once says only what is wrong. */
public final class Logs {
  private static final String OURS = "dev.contrail";

  private Logs() {}

  /** For commands that go on and on: what happens, not only what goes wrong. */
  public static void showEvents() {
    set(Level.INFO);
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
