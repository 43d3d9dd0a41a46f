package dev.contrail.event;

import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.HeaderText;
import dev.contrail.evidence.StoredTime;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** Reads single values from the headers of an event, and says what is wrong with them. */
final class EventReader {
  private final EventAddress address;
  private final Headers headers;

  /** Refuses what is no event, or written by a newer release. */
  EventReader(EventAddress address, Headers headers) {
    this.address = address;
    this.headers = headers;
    long version = number(EventHeader.VERSION);
    if (version > Event.EVENT_VERSION) {
      throw unreadable(
          "it was written by a newer release (event version "
              + version
              + ", this one reads up to "
              + Event.EVENT_VERSION
              + ")");
    }
    if (version < 1) {
      throw unreadable("there is no event version " + version);
    }
  }

  /** The decoded text, empty where there is none. */
  String text(String name) {
    return HeaderText.decode(headers.first(name).orElse(""))
        .orElseThrow(() -> unreadable(name + " is not encoded as it should be"));
  }

  Optional<String> optional(String name) {
    return Optional.of(text(name)).filter(text -> !text.isEmpty());
  }

  String required(String name) {
    return optional(name).orElseThrow(() -> unreadable("the header " + name + " is missing"));
  }

  long number(String name) {
    String value = required(name);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException malformed) {
      throw unreadable(name + " is '" + value + "', which is no number");
    }
  }

  int count(String name) {
    long number = number(name);
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw unknown(name);
    }
    return (int) number;
  }

  /** 0 where the header is missing. */
  int countOrNone(String name) {
    return headers.first(name).isEmpty() ? 0 : count(name);
  }

  /** Empty where the header is missing. */
  Optional<Boolean> yesOrNo(String name) {
    Optional<String> text = optional(name);
    if (text.isPresent() && !text.get().equals("true") && !text.get().equals("false")) {
      throw unknown(name);
    }
    return text.map(Boolean::valueOf);
  }

  Instant instant(String name) {
    String value = required(name);
    try {
      return StoredTime.parse(value);
    } catch (DateTimeException malformed) {
      throw unreadable(name + " is '" + value + "', which is no time");
    }
  }

  DeadLetterId id(String name) {
    try {
      return DeadLetterId.parse(required(name));
    } catch (IllegalArgumentException malformed) {
      throw unknown(name);
    }
  }

  CopyPlace copy() {
    return new CopyPlace(
        required(EventHeader.STREAM),
        required(EventHeader.INCARNATION),
        number(EventHeader.SEQUENCE));
  }

  UnreadableEventException unknown(String name) {
    return unreadable(name + " is '" + headers.first(name).orElse("") + "', which means nothing");
  }

  private UnreadableEventException unreadable(String problem) {
    return new UnreadableEventException(address, problem);
  }
}
