package dev.contrail.jetstream.doctor;

import java.util.Locale;

/** How bad a finding is; the worst comes first. */
public enum Severity {
  /** A promise is broken, or messages are lost or stand still. A worker refuses to start. */
  ERROR,
  /** It works until something else happens. A worker logs it once. */
  WARN;

  /** As it is written in documents and JSON. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
