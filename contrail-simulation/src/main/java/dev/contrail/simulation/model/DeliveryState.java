package dev.contrail.simulation.model;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a consumer knows about its deliveries, which a crash may take back to an earlier one. */
final class DeliveryState {
  /**
   * A delivery that waits for its ack.
   *
   * @param consumerSequence of the first delivery: later ones do not change it
   * @param sinceNanos from when the wait for the ack counts; may lie ahead
   * @param ordinal tells apart what falls due at the same time, by which was put off first
   */
  record Lease(long consumerSequence, long sinceNanos, long ordinal) {}

  long nextStreamSequence;
  long nextConsumerSequence = 1;
  long ackFloorConsumer;
  long ackFloorStream;

  /** By stream sequence. */
  final TreeMap<Long, Lease> leases = new TreeMap<>();

  /** How often a message was delivered again, by stream sequence. */
  final TreeMap<Long, Long> redeliveries = new TreeMap<>();

  /** Those that reached the limit of deliveries and were given up. */
  final TreeSet<Long> exhausted = new TreeSet<>();

  /** Whether anything was ever delivered again. */
  boolean everRedelivered;

  /** Those to deliver again on the next pull. */
  final Deque<Long> queue = new ArrayDeque<>();

  private long ordinals;

  DeliveryState(long firstStreamSequence) {
    nextStreamSequence = firstStreamSequence;
    ackFloorStream = firstStreamSequence - 1;
  }

  DeliveryState copy() {
    DeliveryState copy = new DeliveryState(nextStreamSequence);
    copy.nextConsumerSequence = nextConsumerSequence;
    copy.ackFloorConsumer = ackFloorConsumer;
    copy.ackFloorStream = ackFloorStream;
    copy.leases.putAll(leases);
    copy.redeliveries.putAll(redeliveries);
    copy.exhausted.addAll(exhausted);
    copy.everRedelivered = everRedelivered;
    copy.queue.addAll(queue);
    copy.ordinals = ordinals;
    return copy;
  }

  long deliveries(long sequence) {
    return redeliveries.getOrDefault(sequence, 0L) + 1;
  }

  long countRedelivery(long sequence) {
    redeliveries.merge(sequence, 1L, Long::sum);
    everRedelivered = true;
    return deliveries(sequence);
  }

  void lease(long sequence, long consumerSequence, long sinceNanos) {
    Lease before = leases.get(sequence);
    ordinals++;
    leases.put(
        sequence,
        new Lease(
            before == null ? consumerSequence : before.consumerSequence(), sinceNanos, ordinals));
  }

  void queue(long sequence) {
    if (!queue.contains(sequence)) {
      queue.add(sequence);
    }
  }

  /** After the message with these sequences was acked. */
  void moveAckFloor(long streamSequence, long consumerSequence) {
    if (leases.isEmpty()) {
      ackFloorConsumer = nextConsumerSequence - 1;
      ackFloorStream = nextStreamSequence - 1;
      return;
    }
    if (consumerSequence != ackFloorConsumer + 1) {
      return;
    }
    ackFloorConsumer = consumerSequence;
    ackFloorStream = streamSequence;
    Long next = leases.higherKey(streamSequence);
    if (next != null && next < nextStreamSequence) {
      Lease lease = leases.get(next);
      if (lease != null && lease.consumerSequence() > 0) {
        ackFloorConsumer = lease.consumerSequence() - 1;
        ackFloorStream = next - 1;
      }
    }
  }
}
