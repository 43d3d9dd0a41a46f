package dev.contrail.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages this worker holds, and the only place from which anything is sent for them: nothing
 * leaves once the lease is lost, for a late ack would cancel the next holder's delivery and a late
 * NAK would repeat it.
 */
final class Deliveries<M> {
  static final Comparator<InFlight<?>> IN_ORDER = Comparator.comparingLong(InFlight::sequence);

  private final Sequences<M> held = new Sequences<>();
  private final Port<M> port;
  private final Leases<M> leases;
  private final Pace pace;
  private final Memory memory = new Memory();
  private long bytes;
  private long delivered;
  private long done;
  private long deduplicated;
  private long retried;
  private long dead;
  private long alreadyDead;
  private long givenBack;
  private long lost;

  Deliveries(Port<M> port, Leases<M> leases, Pace pace) {
    this.port = port;
    this.leases = leases;
    this.pace = pace;
  }

  Memory memory() {
    return memory;
  }

  int size() {
    return held.size();
  }

  /** What they weigh in all. */
  long bytes() {
    return bytes;
  }

  @Nullable InFlight<M> find(long sequence) {
    return held.find(sequence);
  }

  Collection<InFlight<M>> all() {
    return held.all();
  }

  /** In the order of the stream; a copy, for callers that settle some of them on the way. */
  List<InFlight<M>> copy() {
    List<InFlight<M>> all = new ArrayList<>(held.all());
    all.sort(IN_ORDER);
    return all;
  }

  /** In the order of the stream; a copy, for callers that settle some of them on the way. */
  List<InFlight<M>> in(DeliveryState state) {
    List<InFlight<M>> found = new ArrayList<>();
    for (InFlight<M> message : held.all()) {
      if (message.is(state)) {
        found.add(message);
      }
    }
    found.sort(IN_ORDER);
    return found;
  }

  void add(InFlight<M> message, long arrivedNanos) {
    delivered++;
    held.add(message);
    bytes += message.bytes();
    leases.begin(message, arrivedNanos);
  }

  void adopt(InFlight<M> message, M newer, long deliveries, long arrivedNanos) {
    delivered++;
    message.redelivered(newer, deliveries);
    leases.begin(message, arrivedNanos);
  }

  /** A delivery of unknown age: not taken in, and nothing is sent for it. */
  void passOver() {
    lost++;
  }

  void ack(InFlight<M> message, Now now) {
    if (acked(message, now)) {
      done++;
    }
  }

  /** It was completed before, here or elsewhere. */
  void ackUnrun(InFlight<M> message, Now now) {
    if (acked(message, now)) {
      deduplicated++;
    }
  }

  private boolean acked(InFlight<M> message, Now now) {
    boolean ours = stillOurs(message, now);
    if (ours) {
      message.move(DeliveryEvent.ACKED);
      port.ack(message);
      memory.over(message);
      settled(message);
    }
    return ours;
  }

  void retry(InFlight<M> message, Throwable cause, Action.Retry retry, Now now) {
    if (stillOurs(message, now)) {
      message.move(DeliveryEvent.NAKED);
      port.nak(message, retry.delay());
      retried++;
      memory.returned(message, now);
      settled(message);
      port.report(new WorkerEvent.Retrying<>(message, cause, retry.delay(), retry.shortened()));
    }
  }

  void giveBack(InFlight<M> message, Now now) {
    if (stillOurs(message, now)) {
      message.move(DeliveryEvent.NAKED);
      port.nak(message, Duration.ZERO);
      givenBack++;
      settled(message);
    }
  }

  /** Only to be called once its dead letter is confirmed stored. */
  void terminate(InFlight<M> message, Now now) {
    boolean diedHere = message.is(DeliveryState.BURYING);
    if (stillOurs(message, now)) {
      message.move(DeliveryEvent.TERMED);
      port.term(message);
      memory.over(message);
      settled(message);
    }
    if (diedHere) {
      dead++;
      port.report(new WorkerEvent.Dead<>(message));
    } else {
      alreadyDead++;
      port.report(new WorkerEvent.AlreadyDead<>(message));
    }
  }

  /**
   * Lets it go in silence. One that runs is kept in mind, for it must not be run twice in here, and
   * so is one that is completed, for that is still to be recorded.
   */
  void lose(InFlight<M> message) {
    leases.remove(message);
    message.move(DeliveryEvent.LEASE_LOST);
    if (message.state().isOver()) {
      forget(message);
    }
    lost++;
    port.report(new WorkerEvent.LeaseLost<>(message));
  }

  /** Lets it go in silence, and does not keep it in mind either. */
  void letGo(InFlight<M> message) {
    if (!message.isUnleased()) {
      lose(message);
    }
    if (message.isUnleased()) {
      endUnleased(message);
    }
  }

  /** A step on it failed midway: nothing is done or sent for it any more, so it comes again. */
  void drop(InFlight<M> message, Throwable cause) {
    leases.remove(message);
    if (held.find(message.sequence()) == message) {
      forget(message);
      lost++;
    }
    if (!message.state().isOver()) {
      message.move(DeliveryEvent.STUMBLED);
    }
    port.report(new WorkerEvent.Stumbled<>(message, cause));
  }

  void endUnleased(InFlight<M> message) {
    message.move(DeliveryEvent.ENDED_UNLEASED);
    forget(message);
  }

  /** Looks at the lease, and lets the message go if it is lost. */
  boolean stillOurs(InFlight<M> message, Now now) {
    if (message.isUnleased()) {
      return false;
    }
    if (!leases.stands(message, now)) {
      lose(message);
      return false;
    }
    return true;
  }

  WorkerCounts counts() {
    return new WorkerCounts(
        delivered, done, deduplicated, retried, dead, alreadyDead, givenBack, lost);
  }

  private void settled(InFlight<M> message) {
    leases.remove(message);
    forget(message);
    pace.settled();
  }

  private void forget(InFlight<M> message) {
    if (held.remove(message)) {
      bytes -= message.bytes();
    }
  }
}
