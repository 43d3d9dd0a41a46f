package dev.contrail.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who must be extended when, and whose lease still stands. The entries form a list in the order in
 * which they fall due: each enters at the end, and moves there when it is extended.
 */
final class Leases<M> {
  private record Batch<M>(List<InFlight<M>> messages, long sentNanos) {}

  private final Map<Long, Batch<M>> unconfirmed = new LinkedHashMap<>();
  private long ackWaitNanos;
  private @Nullable InFlight<M> first;
  private @Nullable InFlight<M> last;
  private long tokens;

  Leases(Duration ackWait) {
    this.ackWaitNanos = ackWait.toNanos();
  }

  /** The server applies a changed AckWait to what it has delivered already. */
  void ackWait(Duration ackWait) {
    long change = ackWait.toNanos() - ackWaitNanos;
    ackWaitNanos = ackWait.toNanos();
    if (change >= 0) {
      return;
    }
    for (InFlight<M> message = first; message != null; message = message.later) {
      message.leaseUntilNanos += change;
      message.extendAtNanos += change / 3;
    }
  }

  long ackWaitNanos() {
    return ackWaitNanos;
  }

  /** A delivery's lease counts from its arrival. */
  void begin(InFlight<M> message, long arrivedNanos) {
    remove(message);
    message.leaseUntilNanos = arrivedNanos + ackWaitNanos;
    message.extendAtNanos = arrivedNanos + ackWaitNanos / 3;
    append(message);
  }

  void remove(InFlight<M> message) {
    if (!message.listed) {
      return;
    }
    if (message.earlier == null) {
      first = message.later;
    } else {
      message.earlier.later = message.later;
    }
    if (message.later == null) {
      last = message.earlier;
    } else {
      message.later.earlier = message.earlier;
    }
    message.earlier = null;
    message.later = null;
    message.listed = false;
  }

  /** Whether anything may still be sent for it. */
  boolean stands(InFlight<M> message, Now now) {
    return now.nanos() - message.leaseUntilNanos <= 0;
  }

  /** Takes those that are due, and puts them at the end, where they are due again in a third. */
  List<InFlight<M>> due(Now now) {
    if (first == null || first.extendAtNanos - now.nanos() > 0) {
      return List.of();
    }
    List<InFlight<M>> due = new ArrayList<>();
    while (first != null && first.extendAtNanos - now.nanos() <= 0) {
      InFlight<M> message = first;
      remove(message);
      message.extendAtNanos = now.nanos() + ackWaitNanos / 3;
      due.add(message);
      append(message);
    }
    return due;
  }

  /** Remembers what was sent until the server has confirmed it, or that would be of no use. */
  long sent(List<InFlight<M>> messages, Now now) {
    Iterator<Batch<M>> oldest = unconfirmed.values().iterator();
    while (oldest.hasNext() && now.nanos() - oldest.next().sentNanos() > ackWaitNanos) {
      oldest.remove();
    }
    unconfirmed.put(++tokens, new Batch<>(messages, now.nanos()));
    return tokens;
  }

  /** A lease counts from when its extension was sent, not from when the answer came. */
  void confirmed(long token) {
    Batch<M> batch = unconfirmed.remove(token);
    if (batch == null) {
      return;
    }
    long until = batch.sentNanos() + ackWaitNanos;
    for (InFlight<M> message : batch.messages()) {
      if (message.listed && message.leaseUntilNanos - until < 0) {
        message.leaseUntilNanos = until;
      }
    }
  }

  private void append(InFlight<M> message) {
    message.earlier = last;
    message.later = null;
    if (last == null) {
      first = message;
    } else {
      last.later = message;
    }
    last = message;
    message.listed = true;
  }
}
