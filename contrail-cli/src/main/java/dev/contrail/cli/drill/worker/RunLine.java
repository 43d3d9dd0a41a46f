package dev.contrail.cli.drill.worker;

import java.util.Locale;
import java.util.Optional;

/**
 * One thing that a worker did, as it wrote it down.
 *
 * @param micros when, since the epoch
 * @param number of the work
 * @param sequence of the message in its stream; 0 for what is about none
 * @param delivery how often it had been delivered by then
 * @param detail what else is to be known
 */
public record RunLine(
    long micros, What what, long number, long sequence, long delivery, String detail) {
  private static final int FIELDS = 6;

  /** What it did. */
  public enum What {
    /** It works. */
    UP,
    /** A handler begins. */
    START,
    /** A handler has done its work. */
    DONE,
    /** A handler found that the message must die. */
    REJECTED,
    /** A handler failed. */
    FAILED,
    /** It stands at its point. */
    AT,
    /** The runtime noticed something. */
    NOTICE,
    /** It did what it was told to. */
    FINISHED
  }

  String text() {
    return micros
        + "\t"
        + what.name().toLowerCase(Locale.ROOT)
        + "\t"
        + number
        + "\t"
        + sequence
        + "\t"
        + delivery
        + "\t"
        + detail.replaceAll("\\s+", " ")
        + "\n";
  }

  /** The line that says so; empty for one that a killed process did not finish. */
  public static Optional<RunLine> parse(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != FIELDS) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new RunLine(
              Long.parseLong(fields[0]),
              What.valueOf(fields[1].toUpperCase(Locale.ROOT)),
              Long.parseLong(fields[2]),
              Long.parseLong(fields[3]),
              Long.parseLong(fields[4]),
              fields[5]));
    } catch (IllegalArgumentException unfinished) {
      return Optional.empty();
    }
  }
}
