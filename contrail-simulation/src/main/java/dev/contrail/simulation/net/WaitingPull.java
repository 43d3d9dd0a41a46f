package dev.contrail.simulation.net;

/** A pull that waits for messages. */
final class WaitingPull {
  final Link link;
  final String replyTo;
  final long endsNanos;
  final long heartbeatNanos;
  int left;
  long signNanos;

  WaitingPull(Link link, String replyTo, int left, long endsNanos, long heartbeat, long now) {
    this.link = link;
    this.replyTo = replyTo;
    this.left = left;
    this.endsNanos = endsNanos;
    this.heartbeatNanos = heartbeat;
    this.signNanos = now;
  }

  /** When something is to be said about it at the latest. */
  long dueNanos() {
    return heartbeatNanos == 0 ? endsNanos : Math.min(endsNanos, signNanos + heartbeatNanos);
  }
}
