package dev.contrail.simulation.model;

import java.util.List;
import java.util.Optional;

/** What a purge takes away, and what the consumers make of it. */
final class Purging {
  private final ModelStream stream;
  private final MessageStore store;
  private final ModelVersion version;

  Purging(ModelStream stream, ModelVersion version) {
    this.stream = stream;
    this.store = stream.store();
    this.version = version;
  }

  Answer<Long> purge(Purge purge) {
    boolean nothing = purge.before() == 1 && version != ModelVersion.V2_9_10;
    Answer<Long> purged =
        nothing
            ? Answer.ok(0L)
            : purge.filter().isPresent()
                ? Answer.ok(purgeSubject(purge, purge.filter().get()))
                : purgeAll(purge);
    if (purged instanceof Answer.Ok<Long>) {
      stream.consumers().values().forEach(consumer -> tell(consumer, purge.filter()));
    }
    return purged;
  }

  private Answer<Long> purgeAll(Purge purge) {
    long before = store.lastSequence() + 1;
    if (purge.before() > 1) {
      before = purge.before();
    } else if (purge.keep() > 0) {
      if (purge.keep() >= store.size()) {
        return Answer.ok(0L);
      }
      before = firstKept(purge.keep());
    }
    boolean lost =
        version == ModelVersion.V2_9_10
            && stream.settings().storage() == StreamSettings.Storage.MEMORY
            && before <= store.lastSequence()
            && store.get(before).isEmpty();
    return lost
        ? Answer.refused(ApiError.PURGE_FAILED)
        : Answer.ok((long) store.compact(before).size());
  }

  /** Old servers count sequences and not messages. */
  private long firstKept(long keep) {
    if (version == ModelVersion.V2_9_10) {
      return store.lastSequence() - keep + 1;
    }
    List<StoredMessage> all = store.all(List.of());
    return all.get((int) (all.size() - keep)).sequence();
  }

  private long purgeSubject(Purge purge, String filter) {
    List<StoredMessage> matching = store.all(List.of(filter));
    long surplus = Math.max(0, matching.size() - purge.keep());
    long purged = 0;
    for (StoredMessage message : matching.subList(0, (int) surplus)) {
      if (purge.before() <= 1 || message.sequence() < purge.before()) {
        stream.remove(message.sequence());
        purged++;
      }
    }
    return purged;
  }

  private void tell(ModelConsumer consumer, Optional<String> filter) {
    if (filter.isEmpty()) {
      consumer.purged(orNext(store.firstSequence()), false);
      return;
    }
    boolean takesMore = consumer.takes(filter.get());
    boolean old = version == ModelVersion.V2_9_10;
    if (isAllOf(consumer, filter.get()) || (takesMore && old)) {
      // Old servers do so too with consumers that take more, which then miss what lies between.
      consumer.purged(
          orNext(store.next(filter.stream().toList(), 0).map(StoredMessage::sequence).orElse(0L)),
          false);
    } else if (takesMore) {
      consumer.purged(store.firstSequence(), true);
    }
  }

  private long orNext(long sequence) {
    return sequence == 0 ? store.lastSequence() + 1 : sequence;
  }

  private static boolean isAllOf(ModelConsumer consumer, String purged) {
    return !consumer.filters().isEmpty()
        && consumer.filters().stream().allMatch(filter -> Subjects.covers(purged, filter));
  }
}
