package dev.contrail.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * What the server knows: which messages there are, who holds them, and until when. It calls foul
 * when anything arrives for a delivery that is no longer the current one.
 */
final class ModelStream {
  static final class Stored {
    final long sequence;
    final int kind;
    final long publishedMillis;
    long count;
    long ever;
    boolean out;
    boolean elsewhere;
    boolean wasElsewhere;
    long dueNanos;

    /** Some weigh more than the server says that they may. */
    long bytes() {
      return kind == 0 ? 2 * LARGEST : 1 + sequence * 37 % LARGEST;
    }

    Stored(long sequence, int kind, long publishedMillis, long dueNanos) {
      this.sequence = sequence;
      this.kind = kind;
      this.publishedMillis = publishedMillis;
      this.dueNanos = dueNanos;
    }
  }

  /** What the server says that a message may weigh. */
  static final long LARGEST = 100;

  private final TreeMap<Long, Stored> messages = new TreeMap<>();
  private final List<Stored> acked = new ArrayList<>();
  private final int incarnation;
  private final long ackWaitNanos;

  ModelStream(int incarnation, int size, long ackWaitNanos, Now now, RandomGenerator random) {
    this.incarnation = incarnation;
    this.ackWaitNanos = ackWaitNanos;
    for (long sequence = 1; sequence <= size; sequence++) {
      messages.put(
          sequence, new Stored(sequence, random.nextInt(20), now.epochMillis(), now.nanos()));
    }
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  @Override
  public String toString() {
    List<String> left = new ArrayList<>();
    messages.values().forEach(stored -> left.add(name(stored) + (stored.out ? " out" : " due")));
    return left.toString();
  }

  /** Leases that ran out make their messages available again. */
  void tick(Now now) {
    for (Stored stored : messages.values()) {
      if (stored.out && now.nanos() - stored.dueNanos > 0) {
        stored.out = false;
        stored.dueNanos = now.nanos();
      }
    }
  }

  /** One of those that may be delivered. */
  Optional<Stored> next(Now now, RandomGenerator random) {
    List<Stored> available =
        messages.values().stream()
            .filter(stored -> !stored.out && now.nanos() - stored.dueNanos >= 0)
            .toList();
    return available.isEmpty()
        ? Optional.empty()
        : Optional.of(available.get(random.nextInt(available.size())));
  }

  void deliver(Stored stored, boolean elsewhere, Now now) {
    stored.count++;
    stored.ever++;
    stored.out = true;
    stored.elsewhere = elsewhere;
    stored.wasElsewhere |= elsewhere;
    stored.dueNanos = now.nanos() + ackWaitNanos;
  }

  String name(Stored stored) {
    return incarnation + "/" + stored.sequence + "#" + stored.ever;
  }

  boolean isOfThisStream(InFlight<String> message) {
    return message.message().startsWith(incarnation + "/");
  }

  int kind(InFlight<String> message) {
    Stored stored = messages.get(message.sequence());
    return stored == null ? 0 : stored.kind;
  }

  void extended(InFlight<String> message, Now now) {
    current("extends", message).dueNanos = now.nanos() + ackWaitNanos;
  }

  void acked(InFlight<String> message) {
    acked.add(current("acks", message));
    messages.remove(message.sequence());
  }

  /** The server forgets that one was acked, and delivers it as if for the first time. */
  void forgetAck(Now now, RandomGenerator random) {
    if (!acked.isEmpty()) {
      Stored stored = acked.remove(random.nextInt(acked.size()));
      stored.count = 0;
      stored.out = false;
      stored.dueNanos = now.nanos();
      messages.put(stored.sequence, stored);
    }
  }

  void termed(InFlight<String> message) {
    current("terms", message);
    messages.remove(message.sequence());
  }

  void naked(InFlight<String> message, long delayNanos, Now now) {
    Stored stored = current("naks", message);
    stored.out = false;
    stored.dueNanos = now.nanos() + delayNanos;
  }

  /** Another worker of the consumer is done with one of those it holds, one way or another. */
  void otherWorkerActs(Now now, RandomGenerator random, LongConsumer completed) {
    messages.values().stream()
        .filter(stored -> stored.out && stored.elsewhere)
        .findAny()
        .ifPresent(
            stored -> {
              if (random.nextInt(4) == 0) {
                completed.accept(stored.sequence);
                messages.remove(stored.sequence);
              } else {
                stored.out = false;
                stored.dueNanos = now.nanos();
              }
            });
  }

  /** One that another worker held once, if there is any: it may still be at it. */
  Optional<Stored> heldElsewhereBefore(RandomGenerator random) {
    List<Stored> held = messages.values().stream().filter(stored -> stored.wasElsewhere).toList();
    return held.isEmpty() ? Optional.empty() : Optional.of(held.get(random.nextInt(held.size())));
  }

  private Stored current(String verb, InFlight<String> message) {
    Stored stored = messages.get(message.sequence());
    if (stored == null || !stored.out || !name(stored).equals(message.message())) {
      throw new AssertionError("foul: the worker " + verb + " " + message + ", not its own");
    }
    return stored;
  }
}
