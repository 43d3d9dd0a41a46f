package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * The NAKs that wait for the time of a test. A server's time cannot be moved; so a delay is waited
 * for here, and then the NAK is sent without one.
 */
final class WaitingRetries {
  private record Waiting(InFlight<Delivered> message, Instant due) {}

  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparing(Waiting::due));

  void add(InFlight<Delivered> message, Instant due) {
    waiting.add(new Waiting(message, due));
  }

  int size() {
    return waiting.size();
  }

  /** How long it is until the next is due; zero when it is overdue. */
  Optional<Duration> untilNext(Instant now) {
    return Optional.ofNullable(waiting.peek())
        .map(next -> Duration.between(now, next.due()))
        .map(left -> left.isNegative() ? Duration.ZERO : left);
  }

  /** Takes those that are due. */
  List<InFlight<Delivered>> takeDue(Instant now) {
    return Stream.generate(waiting::peek)
        .takeWhile(next -> next != null && !next.due().isAfter(now))
        .map(next -> waiting.remove().message())
        .toList();
  }
}
