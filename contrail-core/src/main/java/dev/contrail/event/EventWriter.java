package dev.contrail.event;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.HeaderText;
import java.util.ArrayList;
import java.util.List;

/** Writes what an event says as header lines. Empty values are left out. */
final class EventWriter {
  private final List<Header> lines = new ArrayList<>(12);

  EventWriter(Event event) {
    number(EventHeader.VERSION, event.version());
    text(EventHeader.EVENT, event.fact().kind());
    text(EventHeader.AT, event.at().toString());
    text(EventHeader.BY, event.by());
  }

  Headers headers() {
    return Headers.of(lines);
  }

  void text(String name, String text) {
    if (!text.isEmpty()) {
      lines.add(new Header(name, HeaderText.encode(text)));
    }
  }

  void number(String name, long number) {
    lines.add(new Header(name, Long.toString(number)));
  }

  void copy(CopyPlace copy, String consumer) {
    text(EventHeader.STREAM, copy.stream());
    text(EventHeader.INCARNATION, copy.incarnation());
    number(EventHeader.SEQUENCE, copy.sequence());
    text(EventHeader.CONSUMER, consumer);
  }
}
