package dev.contrail.cli.connect;

import io.nats.client.Connection;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.support.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Learns why a connection is not made: the NATS client tells it to a listener only, and goes on
 * waiting after the server has said no. Once connected, everything goes to the listener behind it.
 */
final class ConnectWatch implements ErrorListener {
  private final ErrorListener later;
  private final CompletableFuture<String> refusal = new CompletableFuture<>();
  private final CompletableFuture<Exception> failure = new CompletableFuture<>();
  private volatile boolean connected;

  ConnectWatch(ErrorListener later) {
    this.later = later;
  }

  void connected() {
    connected = true;
  }

  /** Completes with the server's words when it refuses us. */
  CompletableFuture<String> refusal() {
    return refusal;
  }

  /** Why the first attempt failed, as far as it becomes known in time. */
  Optional<Exception> failure(Duration wait) {
    try {
      return Optional.of(failure.get(wait.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException | ExecutionException unknown) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  @Override
  public void errorOccurred(Connection connection, String error) {
    if (connected) {
      later.errorOccurred(connection, error);
    } else {
      refusal.complete(error);
    }
  }

  @Override
  public void exceptionOccurred(Connection connection, Exception exception) {
    failure.complete(exception);
    later.exceptionOccurred(connection, exception);
  }

  @Override
  public void slowConsumerDetected(Connection connection, Consumer consumer) {
    later.slowConsumerDetected(connection, consumer);
  }

  @Override
  public void messageDiscarded(Connection connection, Message message) {
    later.messageDiscarded(connection, message);
  }

  @Override
  public void heartbeatAlarm(
      Connection connection, JetStreamSubscription subscription, long stream, long consumer) {
    later.heartbeatAlarm(connection, subscription, stream, consumer);
  }

  @Override
  public void unhandledStatus(
      Connection connection, JetStreamSubscription subscription, Status status) {
    later.unhandledStatus(connection, subscription, status);
  }

  @Override
  public void pullStatusWarning(
      Connection connection, JetStreamSubscription subscription, Status status) {
    later.pullStatusWarning(connection, subscription, status);
  }

  @Override
  public void pullStatusError(
      Connection connection, JetStreamSubscription subscription, Status status) {
    later.pullStatusError(connection, subscription, status);
  }

  @Override
  public void flowControlProcessed(
      Connection connection,
      JetStreamSubscription subscription,
      String subject,
      FlowControlSource source) {
    later.flowControlProcessed(connection, subscription, subject, source);
  }

  @Override
  public void socketWriteTimeout(Connection connection) {
    later.socketWriteTimeout(connection);
  }
}
