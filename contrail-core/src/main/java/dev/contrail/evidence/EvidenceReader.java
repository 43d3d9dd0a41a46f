package dev.contrail.evidence;

import dev.contrail.Headers;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/** Reads single values from the head of a dead letter, and says what is wrong with them. */
final class EvidenceReader {
  private final DeadLetterId id;
  private final Headers head;

  /** Refuses what is no dead letter, not that one, or written by a newer release. */
  EvidenceReader(DeadLetterId id, Headers head) {
    this.id = id;
    this.head = head;
    requireKnownVersion();
    requireSame(EvidenceHeader.STREAM, id.stream());
    requireSame(EvidenceHeader.CONSUMER, id.consumer());
    requireSame(EvidenceHeader.INCARNATION, id.incarnation());
    requireSame(EvidenceHeader.SEQUENCE, Long.toString(id.sequence()));
  }

  DeadLetterId id() {
    return id;
  }

  /** The value as it is stored, empty where there is none. */
  String stored(String name) {
    return head.first(name).orElse("");
  }

  List<String> all(String name) {
    return head.all(name);
  }

  /** The decoded text, empty where there is none. */
  String text(String name) {
    return decoded(name, stored(name));
  }

  String decoded(String name, String value) {
    return HeaderText.decode(value)
        .orElseThrow(() -> unreadable(name + " is not encoded as it should be"));
  }

  long number(String name) {
    String value = required(name);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException malformed) {
      throw unreadable(name + " is '" + value + "', which is no number");
    }
  }

  Instant instant(String name) {
    String value = required(name);
    try {
      return StoredTime.parse(value);
    } catch (DateTimeException malformed) {
      throw unreadable(name + " is '" + value + "', which is no time");
    }
  }

  Reason reason() {
    String value = required(EvidenceHeader.REASON);
    return Reason.parse(value)
        .orElseThrow(
            () -> unreadable(EvidenceHeader.REASON + " is '" + value + "', which is no reason"));
  }

  String required(String name) {
    String value = text(name);
    if (value.isEmpty()) {
      throw unreadable("the header " + name + " is missing");
    }
    return value;
  }

  UnreadableEvidenceException unreadable(String problem) {
    return new UnreadableEvidenceException(id, problem);
  }

  private void requireKnownVersion() {
    long version = number(EvidenceHeader.VERSION);
    if (version > DeadLetter.EVIDENCE_VERSION) {
      throw unreadable(
          "it was written by a newer release (evidence version "
              + version
              + ", this one reads up to "
              + DeadLetter.EVIDENCE_VERSION
              + ")");
    }
    if (version < 1) {
      throw unreadable("there is no evidence version " + version);
    }
  }

  private void requireSame(String name, String expected) {
    String value = required(name);
    if (!value.equals(expected)) {
      throw unreadable(name + " is '" + value + "' instead of '" + expected + "'");
    }
  }
}
