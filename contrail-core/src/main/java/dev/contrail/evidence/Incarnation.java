package dev.contrail.evidence;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Tells a stream from another one of the same name, made after the first was deleted: its creation
 * time in microseconds, in base 36. A consumer's creation time would not do, for servers up to 2.10
 * change it on a restart.
 */
public final class Incarnation {
  private Incarnation() {}

  public static String of(Instant streamCreated) {
    return Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, streamCreated), 36);
  }
}
