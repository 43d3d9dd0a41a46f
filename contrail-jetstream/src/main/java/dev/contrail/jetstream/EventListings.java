package dev.contrail.jetstream;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.EventFormat;
import dev.contrail.event.UnreadableEventException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads stored messages as the events of a dead letter. */
final class EventListings {
  private EventListings() {}

  static EventStore.Listing of(String prefix, Stream<StoredMessage> messages) {
    List<Event> events = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    messages
        .sorted(Comparator.comparingLong(StoredMessage::sequence))
        .forEach(
            stored -> {
              Optional<EventAddress> address = EventAddress.ofSubject(prefix, stored.subject());
              if (address.isEmpty()) {
                unreadable.add("Subject " + stored.subject() + " is not that of an event.");
                return;
              }
              try {
                events.add(EventFormat.decode(address.get(), stored.headers()));
              } catch (UnreadableEventException e) {
                unreadable.add(String.valueOf(e.getMessage()));
              }
            });
    return new EventStore.Listing(events, unreadable);
  }
}
