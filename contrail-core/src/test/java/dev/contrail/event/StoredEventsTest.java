package dev.contrail.event;

import static dev.contrail.event.Events.AT;
import static dev.contrail.event.Events.COPY;
import static dev.contrail.event.Events.ID;
import static dev.contrail.event.Events.NEXT;
import static dev.contrail.event.Events.SHA256;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Header;
import dev.contrail.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What earlier releases stored must stay readable: the files are never regenerated. Each event is
 * its subject and its headers, one a line, with an empty line before the next.
 */
class StoredEventsTest {
  @Test
  void every_event_of_version_1_is_read() throws IOException {
    assertThat(read("v1.txt"))
        .containsExactly(
            Events.replay(1),
            Events.step(2, new Step.Discarded("too old, José says")),
            Events.step(3, new Step.Restored()),
            Events.step(4, new Step.Edited(1, 11, SHA256)),
            Events.step(5, new Step.Completed()),
            Events.step(6, new Step.Imported("nats://b")),
            Events.step(7, new Step.Purged(AT, SHA256)),
            Events.outcome(1, new ReplayOutcome.Resolved(COPY, "billing", false)),
            Events.outcome(2, new ReplayOutcome.Returned(NEXT)),
            new Event(
                EventAddress.outcome(ID, 3),
                AT,
                "ann@host",
                new ReplayOutcome.Failed("no stream takes orders.new")),
            Events.run(1),
            Events.skipped(1),
            new Event(EventAddress.note(ID, "n1"), AT, "ann@host", new Fact.Note("called\nBob")));
  }

  @Test
  void an_edit_of_version_2_is_read() throws IOException {
    assertThat(read("v2.txt")).containsExactly(Events.step(4, new Step.Edited(1, 11, SHA256, 37)));
  }

  private static List<Event> read(String file) throws IOException {
    List<Event> events = new ArrayList<>();
    try (InputStream in = StoredEventsTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String event : text.split("\n\n", -1)) {
        List<String> lines = event.lines().toList();
        List<Header> headers =
            lines.stream()
                .skip(1)
                .map(line -> line.split(": ", 2))
                .map(line -> new Header(line[0], line[1]))
                .toList();
        events.add(
            EventFormat.decode(
                EventAddress.ofSubject("contrail", lines.get(0)).orElseThrow(),
                Headers.of(headers)));
      }
    }
    return events;
  }
}
