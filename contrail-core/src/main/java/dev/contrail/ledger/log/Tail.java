package dev.contrail.ledger.log;

import java.time.Duration;

/**
 * How far the log is read. A reader that was cut off goes on at the last record that it knows: when
 * that is not there any more, something may have been missed, for the log may be another one by
 * now, deleted and made again, or restored.
 */
final class Tail {
  /** What to make of a record that was read. */
  enum News {
    /** It is the next one. */
    NEXT,
    /** It is known, or was read for nobody. */
    KNOWN,
    /** Something may have been missed: all is to be read again. */
    ANOTHER_LOG
  }

  /** While something is overdue: after this the reader is taken to be at fault. */
  private static final long LONGEST_SILENCE = Duration.ofSeconds(2).toNanos();

  private static final long READ_AGAIN = Duration.ofMillis(500).toNanos();

  private final LedgerPort port;
  private long reading;
  private boolean ended;
  private boolean toBeFound;
  private long readNanos;
  private long heardNanos;
  private long position;
  private long knownPlace;
  private long knownMillis;

  Tail(LedgerPort port) {
    this.port = port;
  }

  /** Whoever has read up to here knows all that stands before it. */
  long position() {
    return position;
  }

  /** For how long nothing was read. */
  long silentNanos(long nowNanos) {
    return nowNanos - heardNanos;
  }

  void start(long nowNanos) {
    heardNanos = nowNanos;
    readAll(nowNanos);
  }

  /** Reads all from the beginning. */
  void readAll(long nowNanos) {
    position = 0;
    knownPlace = 0;
    toBeFound = false;
    read(1, nowNanos);
  }

  private void read(long place, long nowNanos) {
    readNanos = nowNanos;
    ended = false;
    port.read(++reading, place);
  }

  void ended() {
    ended = true;
  }

  /** Whether it is to be read on: {@code overdue} is whether something should have come. */
  boolean isCutOff(boolean overdue, long nowNanos) {
    long readingFor = nowNanos - readNanos;
    return ended
        ? readingFor > READ_AGAIN
        : overdue && Math.min(readingFor, silentNanos(nowNanos)) > LONGEST_SILENCE;
  }

  /** Goes on from where it is; false when there is nothing to go on from. */
  boolean readOn(long nowNanos) {
    if (knownPlace > 0) {
      toBeFound = true;
      read(knownPlace, nowNanos);
    }
    return knownPlace > 0;
  }

  News heard(long ofReading, long place, long storedMillis, long nowNanos) {
    if (ofReading != reading) {
      return News.KNOWN;
    }
    heardNanos = nowNanos;
    if (toBeFound) {
      toBeFound = false;
      return place == knownPlace && storedMillis == knownMillis ? News.KNOWN : News.ANOTHER_LOG;
    }
    return place > position ? News.NEXT : News.KNOWN;
  }

  /** It was taken in; {@code lasts} is whether it stays for long. */
  void passed(long place, long storedMillis, boolean lasts) {
    position = place;
    if (lasts) {
      knownPlace = place;
      knownMillis = storedMillis;
    }
  }
}
