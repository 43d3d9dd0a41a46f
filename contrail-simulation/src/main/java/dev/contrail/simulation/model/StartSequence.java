package dev.contrail.simulation.model;

import java.util.List;
import java.util.Optional;

/** Where a new consumer begins. */
final class StartSequence {
  private StartSequence() {}

  static long of(
      ConsumerSettings settings, List<String> filters, MessageStore store, ModelVersion version) {
    if (version != ModelVersion.V2_9_10
        && settings.deliverPolicy() == ConsumerSettings.DeliverPolicy.BY_START_SEQUENCE) {
      return Math.max(settings.startSequence(), store.firstSequence());
    }
    if (store.firstSequence() == 0) {
      return 1;
    }
    long wanted =
        switch (settings.deliverPolicy()) {
          case ALL -> store.firstSequence();
          case NEW -> store.lastSequence() + 1;
          case LAST -> last(filters, store);
          case BY_START_SEQUENCE -> settings.startSequence();
        };
    return Math.min(Math.max(wanted, store.firstSequence()), store.lastSequence() + 1);
  }

  private static long last(List<String> filters, MessageStore store) {
    if (filters.isEmpty()) {
      return store.lastSequence();
    }
    Optional<StoredMessage> last = store.last(filters);
    return last.isPresent() ? last.get().sequence() : 0;
  }
}
