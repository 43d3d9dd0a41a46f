package dev.contrail.operations.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;

/**
 * A numbered piece of work, as it is published.
 *
 * @param kind what whoever works on it does
 */
record Task(Kind kind, long number) {
  enum Kind {
    /** Is done. */
    OK,
    /** Is done after it was returned once. */
    RETRY,
    /** Takes its time. */
    SLOW,
    /** Dies, and is done when it is replayed. */
    POISON,
    /** Dies, dies again when it is replayed, and is done when that is replayed. */
    CURSED,
    /** Is never acknowledged by those who are not of Contrail. */
    DOOMED;

    /** How often it has to be replayed. */
    int deaths() {
      return switch (this) {
        case OK, RETRY, SLOW -> 0;
        case POISON, DOOMED -> 1;
        case CURSED -> 2;
      };
    }
  }

  byte[] payload() {
    return toString().getBytes(UTF_8);
  }

  static Task of(byte[] payload) {
    return parse(new String(payload, UTF_8));
  }

  static Task parse(String text) {
    String[] words = text.split(" ", 2);
    return new Task(Kind.valueOf(words[0].toUpperCase(Locale.ROOT)), Long.parseLong(words[1]));
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + " " + number;
  }
}
