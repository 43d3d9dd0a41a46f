package dev.contrail.jetstream;

import dev.contrail.engine.WorkerStatus;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer at work. It survives what happens to the server, to the consumer on it and to the
 * stores, and a connection that is lost for a while. {@link #close} ends it, and so does a
 * connection that is closed for good. Thread-safe.
 */
public final class ContrailConsumer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ContrailConsumer.class);

  /**
   * What a handler that was interrupted at the end gets to clean up, and the last acks to leave.
   */
  private static final Duration LAST_MOMENTS = Duration.ofSeconds(5);

  private final Connection connection;
  private final ConsumerIdentity identity;
  private final Duration drainTimeout;
  private final WorkerLoop loop;
  private final PullInbox pulls;
  private final ConsumerKeeper keeper;
  private final Handlers handlers;
  private final Notices notices;
  private final PauseSwitch pauses;
  private final Liaison liaison;
  private final Tally tally;
  private final ConnectionListener listener = this::connectionChanged;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  ContrailConsumer(
      Connection connection,
      ConsumerIdentity identity,
      Duration drainTimeout,
      WorkerLoop loop,
      PullInbox pulls,
      ConsumerKeeper keeper,
      Handlers handlers,
      Notices notices,
      PauseSwitch pauses,
      Liaison liaison,
      Tally tally) {
    this.connection = connection;
    this.identity = identity;
    this.drainTimeout = drainTimeout;
    this.loop = loop;
    this.pulls = pulls;
    this.keeper = keeper;
    this.handlers = handlers;
    this.notices = notices;
    this.pauses = pauses;
    this.liaison = liaison;
    this.tally = tally;
  }

  void start() {
    connection.addConnectionListener(listener);
    loop.start();
    try {
      keeper.start();
      liaison.start();
      if (tally.isMeasured()) {
        // What the server knows of the consumer is measured too, and would be known in a minute
        // only.
        keeper.lookSoon();
      }
    } catch (RuntimeException e) {
      // Nobody gets hold of it: it would work on until the process ends.
      close();
      throw e;
    }
  }

  public String stream() {
    return identity.stream();
  }

  public String name() {
    return identity.consumer();
  }

  /** What it has done and is doing, as of a moment ago. */
  public WorkerStatus status() {
    return loop.status();
  }

  /** Starts no handler and takes no message until {@link #resume}; what it holds it keeps. */
  public void pause() {
    loop.send(pauses.byApplication(true));
    liaison.changed();
  }

  /**
   * Ends a pause of the application's own. One that operators told it goes on until they end it.
   */
  public void resume() {
    loop.send(pauses.byApplication(false));
    liaison.changed();
  }

  /** Waits until somebody closed it. */
  public void awaitClosed() throws InterruptedException {
    closed.await();
  }

  /** Waits until somebody closed it, at most so long; returns whether that happened. */
  public boolean awaitClosed(Duration timeout) throws InterruptedException {
    return closed.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Takes no more messages, lets the handlers finish within the drain timeout, acknowledges what is
   * done and returns the rest to the server. The connection stays open. Whoever calls it waits
   * until that is done, but for a handler or a listener to notices, which would wait for itself.
   */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      awaitUnlessOwnThread();
    } else if (isOwnThread()) {
      new Thread(this::end, "contrail-close-" + identity.consumer()).start();
    } else {
      end();
    }
  }

  private boolean isOwnThread() {
    return HandlerThreads.isOne() || loop.isCurrentThread();
  }

  private void awaitUnlessOwnThread() {
    try {
      if (!isOwnThread()) {
        closed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end() {
    try {
      drain();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      liaison.close();
      connection.removeConnectionListener(listener);
      loop.stop();
      keeper.close();
      handlers.close();
      tally.end();
      closed.countDown();
    }
  }

  private void drain() throws InterruptedException {
    if (connection.getStatus() == Connection.Status.CLOSED) {
      log.warn("{}: the connection was closed first; what was in flight comes again", identity);
      return;
    }
    loop.send((worker, now) -> worker.drain(drainTimeout, now));
    var unused =
        pulls.close(LAST_MOMENTS).whenComplete((drained, failure) -> loop.endWhenDrained());
    if (!loop.awaitEnd(drainTimeout.plus(LAST_MOMENTS))) {
      log.warn(
          "{}: {} handlers did not end when interrupted; their messages come again after AckWait",
          identity,
          loop.status().inFlight());
    }
    // Before the flush, so that it has arrived when this returns.
    liaison.close();
    flush();
  }

  private void flush() throws InterruptedException {
    if (connection.getStatus() != Connection.Status.CONNECTED) {
      log.warn("{}: the server is away; what it has not heard of comes again", identity);
      return;
    }
    try {
      connection.flush(LAST_MOMENTS);
    } catch (TimeoutException | IllegalStateException e) {
      log.warn("{}: the last acks may not have reached the server: {}", identity, e.getMessage());
    }
  }

  private void connectionChanged(Connection changed, ConnectionListener.Events event) {
    switch (event) {
      case DISCONNECTED -> keeper.disconnected();
      case RESUBSCRIBED -> {
        keeper.lookSoon();
        liaison.reconnected();
      }
      case CLOSED -> {
        if (!closing.get()) {
          notices.gone(
              "the connection was closed, by its owner or because the server refused the"
                  + " credentials twice: this consumer ends");
          new Thread(this::close, "contrail-close-" + identity.consumer()).start();
        }
      }
      default -> {
        // The others change nothing for a consumer.
      }
    }
  }
}
