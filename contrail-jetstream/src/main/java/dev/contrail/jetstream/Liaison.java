package dev.contrail.jetstream;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a worker and those who operate it in touch, on a thread of its own: it tells what it does,
 * and does what it is told. Nothing here may hurt the work.
 */
final class Liaison {
  private static final Logger log = LoggerFactory.getLogger(ContrailConsumer.class);
  private static final Duration BEAT = Duration.ofSeconds(1);
  private static final Duration AT_START = Duration.ofSeconds(2);

  /** What is published is heard at once, but stored a moment later, in a cluster after that. */
  private static final Duration STORED = Duration.ofMillis(100);

  private static final Duration STORED_SURELY = Duration.ofSeconds(1);

  private final Connection connection;
  private final ConsumerIdentity identity;
  private final String pauses;
  private final Optional<WorkerReporter> reporter;
  private final PauseWatch watch;
  private final Surroundings.Timer thread;
  private final Coalesced stored;
  private final Coalesced storedSurely;
  private @Nullable Dispatcher hints;
  private boolean closed;

  /**
   * Of a worker.
   *
   * @param watch makes what looks for pauses, and calls it when one begins or ends
   */
  Liaison(
      Connection connection,
      ConsumerIdentity identity,
      Names names,
      Optional<WorkerReporter> reporter,
      Function<Runnable, PauseWatch> watch,
      Surroundings surroundings) {
    this.connection = connection;
    this.identity = identity;
    this.pauses = "$KV." + names.pausesBucket() + "." + identity.stream();
    this.reporter = reporter;
    this.thread = surroundings.timer("contrail-liaison-" + identity.consumer());
    this.watch = watch.apply(this::changed);
    this.stored = new Coalesced(thread, STORED, this.watch::soon);
    this.storedSurely = new Coalesced(thread, STORED_SURELY, this.watch::soon);
  }

  /** Whoever is paused begins so. */
  void begin() {
    try {
      watch.lookNow(AT_START);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized void start() {
    if (closed) {
      return;
    }
    listen();
    thread.in(Duration.ZERO, this::beat);
    thread.every(BEAT, this::beat);
  }

  /** Heard directly, not from the stream: it only tells that there is something to look at. */
  private void listen() {
    try {
      Dispatcher listening = connection.createDispatcher(message -> hinted());
      hints = listening;
      listening.subscribe(pauses);
      listening.subscribe(pauses + ".>");
    } catch (IllegalStateException e) {
      log.debug("{}: the connection is being closed", identity, e);
    }
  }

  private void hinted() {
    stored.ask();
    storedSurely.ask();
  }

  /** The worker was paused, or goes on: whoever looks should see that. */
  void changed() {
    thread.in(
        Duration.ZERO,
        () -> {
          reporter.ifPresent(WorkerReporter::soon);
          beat();
        });
  }

  /** The server is back, maybe another one. */
  void reconnected() {
    stored.ask();
    changed();
  }

  private void beat() {
    try {
      if (connection.getStatus() == Connection.Status.CONNECTED) {
        watch.beat();
      }
      if (reporter.isPresent()) {
        reporter.get().beat();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // Closed meanwhile, mostly; nothing of it is worth an end of the reports.
      log.debug("{}: not reported", identity, e);
    } catch (Throwable e) {
      // An error too: what is not done again would end in silence.
      log.warn("{}: not reported, and tried again: {}", identity, e.toString());
    }
  }

  /** Takes the report away. Once; harmless after that. */
  synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    thread.close();
    try {
      reporter.ifPresent(WorkerReporter::end);
      if (hints != null && connection.getStatus() != Connection.Status.CLOSED) {
        connection.closeDispatcher(hints);
      }
    } catch (RuntimeException e) {
      log.debug("{}: its report goes by itself", identity, e);
    }
  }
}
