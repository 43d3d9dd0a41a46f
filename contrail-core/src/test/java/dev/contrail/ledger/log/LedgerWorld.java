package dev.contrail.ledger.log;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A log, the processes that keep their ledgers in it, and a network between them that delays, loses
 * and reorders. What is true stands in the {@link Books}.
 */
final class LedgerWorld {
  /** A request on its way to the server; one without an id has been answered. */
  private static final class Packet {
    final LedgerProcess from;
    final long id;
    final String token;
    final byte[] data;
    final List<Message> held;

    /** For a purge. */
    final long below;

    Packet(LedgerProcess from, long id, String token, byte[] data, List<Message> held, long below) {
      this.from = from;
      this.id = id;
      this.token = token;
      this.data = data;
      this.held = held;
      this.below = below;
    }

    boolean isPurge() {
      return below > 0;
    }
  }

  /** What the server says to it. */
  private record Reply(LedgerProcess to, Runnable event) {}

  private static final int REMEMBERED = 200;
  private static final long START_MILLIS = 1_800_000_000_000L;

  final RandomGenerator random;
  final ModelLog log = new ModelLog();
  final Books books = new Books();
  final List<LedgerProcess> processes = new ArrayList<>();
  final List<Message> messages = new ArrayList<>();

  private final List<Packet> network = new ArrayList<>();
  private final List<Reply> replies = new ArrayList<>();
  private final Deque<Supplier<String>> story = new ArrayDeque<>();
  private final long zero;
  private long nanos;
  private long sequence;
  private long firstSequence;
  private int names;
  boolean healed;

  LedgerWorld(int size, long firstSequence, long zero, RandomGenerator random) {
    this.random = random;
    this.zero = zero;
    this.nanos = zero;
    this.sequence = firstSequence - 1;
    this.firstSequence = firstSequence;
    for (int i = 0; i < size; i++) {
      start();
    }
  }

  long nanos() {
    return nanos;
  }

  long millis() {
    return START_MILLIS + (nanos - zero) / 1_000_000;
  }

  /** Put into words only if somebody wants to read it. */
  void tell(Supplier<String> what) {
    long at = (nanos - zero) / 1_000_000;
    story.add(() -> at + " " + what.get());
    if (story.size() > REMEMBERED) {
      story.remove();
    }
  }

  String story() {
    return story.stream().map(Supplier::get).collect(Collectors.joining("\n"));
  }

  // Processes.

  LedgerProcess start() {
    long clock = random.nextLong(Duration.ofDays(1).toNanos());
    LedgerProcess started = new LedgerProcess(this, "process " + ++names, random.nextInt(), clock);
    processes.add(started);
    tell(() -> started + " starts");
    return started;
  }

  LedgerProcess any() {
    return processes.get(random.nextInt(processes.size()));
  }

  void kill(LedgerProcess process) {
    tell(() -> process + " is killed");
    process.kill();
    processes.remove(process);
  }

  void pass(Duration time) {
    nanos += time.toNanos();
    for (LedgerProcess process : List.copyOf(processes)) {
      if (!process.frozen) {
        process.tick();
      }
    }
  }

  // The stream of the messages.

  void publishMessage() {
    nanos += Duration.ofMillis(random.nextInt(30)).toNanos();
    messages.add(new Message(++sequence, millis()));
  }

  /** The stream goes on from an earlier sequence, at least that much later. */
  void reuse(Duration later) {
    long back = Math.max(firstSequence, sequence - random.nextInt(60));
    for (long again = back; again <= sequence; again++) {
      books.reused(again);
    }
    tell(() -> "sequences from " + back + " on are used again");
    sequence = back - 1;
    pass(later);
  }

  long firstSequence() {
    return firstSequence;
  }

  /** Some of those published that the stream may still deliver. */
  List<Message> some() {
    List<Message> some = new ArrayList<>();
    int span = random.nextInt(4) == 0 ? messages.size() : Math.min(messages.size(), 40);
    for (int i = random.nextInt(8); i >= 0 && span > 0; i--) {
      Message message = messages.get(messages.size() - 1 - random.nextInt(span));
      if (message.sequence() >= firstSequence && !some.contains(message)) {
        some.add(message);
      }
    }
    return some;
  }

  /** What the stream no longer holds, nobody needs to know. */
  void check(LedgerProcess process, List<Message> asked, BitSet completed, long moment) {
    for (int i = 0; i < asked.size(); i++) {
      if (asked.get(i).sequence() >= firstSequence) {
        books.check(asked.get(i), completed.get(i), moment, process.toString());
      }
    }
  }

  /** What was published first is gone, and the ledgers may drop it. */
  void retire() {
    firstSequence = Math.max(firstSequence, sequence - random.nextInt(200));
    long before = millis() - random.nextInt(5_000);
    long first = firstSequence;
    tell(() -> "the stream begins at " + first);
    for (LedgerProcess process : processes) {
      if (!process.frozen) {
        process.log.retire(firstSequence, before);
      }
    }
  }

  // The log.

  /** Somebody lets the sequences be processed again. */
  void forget() {
    List<Message> some = some();
    if (some.isEmpty() || some.stream().anyMatch(this::isBeingRecorded)) {
      return;
    }
    for (Message message : some) {
      BlockKey key = BlockKey.of(message.sequence());
      int low = BlockKey.low(message.sequence());
      long place = log.append(key.forgetToken(), RecordFormat.forget(7, low, low), millis());
      tell(() -> "forgotten: " + message.sequence() + " at " + place);
      books.forgotten(message.sequence());
    }
  }

  private boolean isBeingRecorded(Message message) {
    return processes.stream()
            .flatMap(process -> process.told.stream())
            .anyMatch(told -> isAmong(told.messages, message.sequence()))
        || network.stream().anyMatch(packet -> isAmong(packet.held, message.sequence()));
  }

  private static boolean isAmong(List<Message> messages, long sequence) {
    return messages.stream().anyMatch(message -> message.sequence() == sequence);
  }

  /**
   * Deleted and made again, which takes longer than an answer does: whoever reads it is cut off,
   * and purges that are under way are lost.
   */
  void remakeLog() {
    processes.forEach(process -> process.frozen = false);
    while (!replies.isEmpty()) {
      answer();
    }
    tell(() -> "the log is deleted and made again");
    long last = log.last();
    log.remake();
    pass(Duration.ofMillis(1 + random.nextInt(100)));
    books.allLost();
    network.removeIf(Packet::isPurge);
    processes.forEach(process -> process.interrupt(random.nextBoolean()));
    if (random.nextBoolean()) {
      outgrow(any(), last + random.nextInt(10));
    }
  }

  /** The others write until places are reached again that this one had read before. */
  void outgrow(LedgerProcess cutOff, long place) {
    LedgerProcess other = processes.size() == 1 ? start() : any();
    while (log.last() <= place && other != cutOff && !messages.isEmpty()) {
      other.record(some());
      settle(cutOff);
    }
  }

  // The network.

  void send(LedgerProcess from, long id, String token, byte[] data, List<Message> held) {
    network.add(new Packet(from, id, token, data, held, 0));
  }

  void sendPurge(LedgerProcess from, String token, long below) {
    tell(() -> from + " purges " + token + " below " + below);
    network.add(new Packet(from, 0, token, new byte[0], List.of(), below));
  }

  /**
   * A request reaches the server, or does not, or its sender is told so and it does all the same.
   */
  void transmit() {
    if (network.isEmpty()) {
      return;
    }
    int fate = healed ? 0 : random.nextInt(30);
    Packet packet = network.remove(random.nextInt(network.size()));
    if (packet.isPurge()) {
      if (fate != 1) {
        log.purge(packet.token, packet.below);
      }
      return;
    }
    if (fate == 1) {
      fail(packet);
    } else if (fate == 2) {
      fail(packet);
      network.add(new Packet(packet.from, 0, packet.token, packet.data, packet.held, 0));
    } else {
      long place = append(packet);
      if (fate == 3) {
        fail(packet);
      } else {
        reply(packet, () -> packet.from.log.published(packet.id, place, packet.from.nanos()));
      }
    }
  }

  private long append(Packet packet) {
    long place = log.append(packet.token, packet.data, millis());
    packet.held.forEach(books::stored);
    tell(() -> packet.from + " appends to " + packet.token + " at " + place + ": " + packet.held);
    return place;
  }

  private void fail(Packet packet) {
    Throwable cause = new IllegalStateException("away");
    reply(packet, () -> packet.from.log.publishFailed(packet.id, cause, packet.from.nanos()));
  }

  private void reply(Packet packet, Runnable event) {
    if (packet.id > 0) {
      replies.add(new Reply(packet.from, event));
    }
  }

  void answer() {
    replies.removeIf(reply -> reply.to.dead);
    List<Reply> heard = replies.stream().filter(reply -> !reply.to.frozen).toList();
    if (!heard.isEmpty()) {
      Reply reply = heard.get(random.nextInt(heard.size()));
      replies.remove(reply);
      reply.event.run();
    }
  }

  /** All that is under way arrives, and what that brings about too. */
  void settle() {
    settle(null);
  }

  /** The same, but that one of them reads nothing. */
  void settle(@Nullable LedgerProcess lagging) {
    processes.forEach(process -> process.frozen &= process == lagging);
    for (int round = 0; round < 100; round++) {
      while (!network.isEmpty()) {
        transmit();
      }
      while (replies.stream().anyMatch(reply -> !reply.to.frozen)) {
        answer();
      }
      for (LedgerProcess process : List.copyOf(processes)) {
        if (process != lagging) {
          process.receiveAll();
        }
      }
      if (network.isEmpty() && replies.stream().allMatch(reply -> reply.to.frozen)) {
        return;
      }
    }
    throw new AssertionError("foul: it never comes to rest");
  }
}
