package dev.contrail.jetstream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Handlers are run by whoever asks for it, on their own thread, one at a time. */
final class OwnThread implements Handlers {
  private final Consumer<Run> body;
  private final Deque<Run> queue = new ArrayDeque<>();

  OwnThread(Consumer<Run> body) {
    this.body = body;
  }

  /** Runs the next that is queued; returns it. */
  Optional<Run> runNext() {
    Optional<Run> next = Optional.ofNullable(queue.poll());
    next.ifPresent(body);
    return next;
  }

  @Override
  public void submit(List<Run> runs) {
    queue.addAll(runs);
  }

  @Override
  public void startMissing() {
    // There are no threads to start.
  }

  @Override
  public void replace(Run run) {
    // Whoever waits for the handler is the one who runs it.
  }

  @Override
  public void close() {
    queue.clear();
  }
}
