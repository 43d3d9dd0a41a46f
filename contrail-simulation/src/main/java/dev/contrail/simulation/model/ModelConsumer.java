package dev.contrail.simulation.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A durable pull consumer with explicit acks. */
final class ModelConsumer {
  private final String stream;
  private final MessageStore store;
  private final ModelVersion version;
  private final boolean looksAhead;
  private final Consumer<Advisory> advisories;
  private final long createdNanos;
  private ConsumerSettings settings;
  private DeliveryState state;
  private DeliveryState flushed;

  ModelConsumer(
      StreamSettings stream,
      MessageStore store,
      ConsumerSettings settings,
      ModelVersion version,
      Consumer<Advisory> advisories,
      long now) {
    this.stream = stream.name();
    this.store = store;
    this.settings = settings;
    this.version = version;
    this.looksAhead =
        version == ModelVersion.V2_9_10 || stream.storage() == StreamSettings.Storage.MEMORY;
    this.advisories = advisories;
    this.createdNanos = now;
    this.state = new DeliveryState(StartSequence.of(settings, filters(), store, version));
    if (version == ModelVersion.V2_9_10) {
      state.ackFloorStream = 0;
    }
    this.flushed = state.copy();
  }

  ConsumerSettings settings() {
    return settings;
  }

  void update(ConsumerSettings changed) {
    settings = changed;
  }

  /** What the server honours of the filters. */
  List<String> filters() {
    return filters(settings, version);
  }

  static List<String> filters(ConsumerSettings settings, ModelVersion version) {
    boolean unknown = version == ModelVersion.V2_9_10 && settings.filters().size() > 1;
    return unknown ? List.of() : settings.filters();
  }

  boolean takes(String subject) {
    return filters().isEmpty() || Subjects.anyCovers(filters(), subject);
  }

  DeliveryState state() {
    return state;
  }

  /** Makes the state as it is now the one that a crash leaves. */
  void flush() {
    flushed = state.copy();
  }

  /** Goes back to what was flushed last, as far as the messages are still there. */
  void forget() {
    state = flushed.copy();
    state.leases.keySet().removeIf(sequence -> store.get(sequence).isEmpty());
    state.redeliveries.keySet().removeIf(sequence -> store.get(sequence).isEmpty());
    state.queue.removeIf(sequence -> store.get(sequence).isEmpty());
  }

  List<ModelDelivery> pull(int batch, long now) {
    List<ModelDelivery> deliveries = new ArrayList<>();
    while (deliveries.size() < batch) {
      Optional<ModelDelivery> next = next(now);
      if (next.isEmpty()) {
        break;
      }
      deliveries.add(next.get());
    }
    return deliveries;
  }

  private Optional<ModelDelivery> next(long now) {
    while (!state.queue.isEmpty()) {
      long sequence = state.queue.remove();
      long deliveries = state.countRedelivery(sequence);
      if (isBeyondLimit(deliveries)) {
        if (deliveries == settings.maxDeliver() + 1) {
          exhausted(sequence, deliveries - 1);
        }
        state.leases.remove(sequence);
        state.exhausted.add(sequence);
        continue;
      }
      Optional<StoredMessage> message = store.get(sequence);
      if (message.isPresent()) {
        return Optional.of(deliver(message.get(), deliveries, now));
      }
    }
    boolean full = settings.maxAckPending() > 0 && state.leases.size() >= settings.maxAckPending();
    if (full) {
      return Optional.empty();
    }
    Optional<StoredMessage> message = store.next(filters(), state.nextStreamSequence);
    if (message.isEmpty()) {
      if (looksAhead || store.size() > 0) {
        state.nextStreamSequence = Math.max(state.nextStreamSequence, store.lastSequence() + 1);
      }
      return Optional.empty();
    }
    state.nextStreamSequence = message.get().sequence() + 1;
    return Optional.of(deliver(message.get(), 1, now));
  }

  private ModelDelivery deliver(StoredMessage message, long deliveries, long now) {
    long consumerSequence = state.nextConsumerSequence;
    state.nextConsumerSequence++;
    state.lease(message.sequence(), consumerSequence, now);
    return new ModelDelivery(
        message,
        new AckSubject(
            stream,
            settings.name(),
            deliveries,
            message.sequence(),
            consumerSequence,
            message.nanos(),
            pending()));
  }

  private boolean isBeyondLimit(long deliveries) {
    return settings.maxDeliver() > 0 && deliveries > settings.maxDeliver();
  }

  /**
   * Newer servers give up without a pull, but they take the redeliveries for the deliveries: so
   * this happens with a limit of one, or when the limit was lowered.
   */
  private boolean giveUpEarly(long sequence) {
    long counted = Math.max(1, state.redeliveries.getOrDefault(sequence, 0L));
    if (settings.maxDeliver() <= 0 || counted < settings.maxDeliver()) {
      return false;
    }
    if (counted == settings.maxDeliver()) {
      exhausted(sequence, counted);
    }
    state.leases.remove(sequence);
    state.exhausted.add(sequence);
    return true;
  }

  private void exhausted(long sequence, long deliveries) {
    advisories.accept(new Advisory.MaxDeliveries(stream, settings.name(), sequence, deliveries));
  }

  void nak(AckSubject reply, long delayNanos, long now) {
    long sequence = reply.streamSequence();
    boolean outOfRange =
        reply.consumerSequence() <= state.ackFloorConsumer
            || reply.consumerSequence() > state.nextConsumerSequence;
    if (outOfRange || !state.leases.containsKey(sequence)) {
      return;
    }
    if (delayNanos > 0) {
      state.queue.remove(sequence);
      state.lease(sequence, 0, now + delayNanos - settings.ackWait().toNanos());
    } else {
      state.queue(sequence);
    }
  }

  void inProgress(long sequence, long now) {
    if (state.leases.containsKey(sequence)) {
      state.lease(sequence, 0, now);
    }
  }

  /** Takes a message off the consumer's hands, whether it holds it or not. */
  void acked(long streamSequence, long consumerSequence) {
    DeliveryState.Lease lease = state.leases.remove(streamSequence);
    state.exhausted.remove(streamSequence);
    if (lease == null && version != ModelVersion.V2_9_10) {
      return;
    }
    state.moveAckFloor(streamSequence, lease == null ? consumerSequence : lease.consumerSequence());
    state.redeliveries.remove(streamSequence);
    state.queue.remove(streamSequence);
  }

  void terminated(long streamSequence, long consumerSequence, long deliveries, String reason) {
    advisories.accept(
        new Advisory.Terminated(
            stream, settings.name(), streamSequence, consumerSequence, deliveries, reason));
  }

  /** What the server tells as the deliveries of a message that was removed under its holder. */
  private long countedOnRemoval(long sequence) {
    long redeliveries = state.redeliveries.getOrDefault(sequence, 0L);
    boolean literally = version == ModelVersion.V2_9_10 && state.everRedelivered;
    return literally ? redeliveries : Math.max(1, redeliveries);
  }

  /** A message is no longer in the stream. */
  void removed(long sequence) {
    DeliveryState.Lease lease = state.leases.get(sequence);
    if (lease != null) {
      long deliveries = countedOnRemoval(sequence);
      acked(sequence, lease.consumerSequence());
      terminated(
          sequence,
          lease.consumerSequence(),
          deliveries,
          version == ModelVersion.V2_9_10 ? "" : "Unacknowledged message was deleted");
    }
  }

  /**
   * The stream was purged.
   *
   * @param first the first sequence that may still concern this consumer
   * @param partly whether it also takes messages that were not to be purged
   */
  void purged(long first, boolean partly) {
    state.nextStreamSequence = Math.max(state.nextStreamSequence, first);
    if (state.ackFloorStream < first) {
      state.ackFloorStream = first - 1;
      for (long sequence : List.copyOf(state.leases.keySet())) {
        boolean gone = sequence < first || (partly && store.get(sequence).isEmpty());
        if (gone) {
          dropPurged(sequence);
        }
      }
    }
    if (state.leases.isEmpty()) {
      state.redeliveries.clear();
      state.ackFloorConsumer = state.nextConsumerSequence - 1;
      state.ackFloorStream = state.nextStreamSequence - 1;
    }
    state.queue.removeIf(sequence -> sequence < state.nextStreamSequence);
  }

  private void dropPurged(long sequence) {
    DeliveryState.Lease lease = state.leases.remove(sequence);
    if (lease != null) {
      state.ackFloorConsumer = Math.max(state.ackFloorConsumer, lease.consumerSequence());
    }
    state.redeliveries.remove(sequence);
  }

  /** Whether an interest stream keeps a message for this consumer. */
  boolean needs(StoredMessage message) {
    long sequence = message.sequence();
    if (!takes(message.subject()) || sequence <= state.ackFloorStream) {
      return false;
    }
    boolean givenUp = version != ModelVersion.V2_9_10 && state.exhausted.contains(sequence);
    return sequence >= state.nextStreamSequence || state.leases.containsKey(sequence) || givenUp;
  }

  /** Whether somebody holds it, or may be given it. */
  boolean mayBeGiven(long sequence) {
    Optional<StoredMessage> message = store.get(sequence);
    if (message.isEmpty() || !takes(message.get().subject())) {
      return false;
    }
    if (sequence >= state.nextStreamSequence) {
      return true;
    }
    boolean last = isBeyondLimit(state.deliveries(sequence) + 1);
    return state.leases.containsKey(sequence) && !(last && state.queue.contains(sequence));
  }

  OptionalLong nextDue() {
    long due = Long.MAX_VALUE;
    for (Map.Entry<Long, DeliveryState.Lease> entry : state.leases.entrySet()) {
      if (!state.queue.contains(entry.getKey())) {
        due = Math.min(due, deadline(entry.getValue()));
      }
    }
    return due == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(due);
  }

  long deadline(DeliveryState.Lease lease) {
    return lease.sinceNanos() + settings.ackWait().toNanos();
  }

  /** Puts what was not acked in time in line for redelivery, by sequence. */
  void expire(long now) {
    List<Long> expired = new ArrayList<>();
    state.leases.forEach(
        (sequence, lease) -> {
          if (deadline(lease) <= now && !state.queue.contains(sequence)) {
            expired.add(sequence);
          }
        });
    for (long sequence : expired) {
      if (version == ModelVersion.V2_9_10 || !giveUpEarly(sequence)) {
        state.queue(sequence);
      }
    }
  }

  long pending() {
    return store.count(filters(), state.nextStreamSequence);
  }

  ConsumerState info() {
    return new ConsumerState(
        settings,
        createdNanos,
        state.nextConsumerSequence - 1,
        state.nextStreamSequence - 1,
        state.ackFloorConsumer,
        state.ackFloorStream,
        state.leases.size(),
        state.redeliveries.size(),
        pending());
  }
}
