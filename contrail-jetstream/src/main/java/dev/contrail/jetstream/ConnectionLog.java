package dev.contrail.jetstream;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what happens on a connection to the log, one line each. */
final class ConnectionLog implements ErrorListener, ConnectionListener {
  private static final Logger log = LoggerFactory.getLogger(Contrail.class);

  private final CompletableFuture<Exception> firstFailure = new CompletableFuture<>();
  private volatile boolean connected;

  /** Why the first connection attempt failed: jnats tells it to the listener only, and later. */
  Optional<Exception> firstFailure(Duration wait) {
    try {
      return Optional.of(firstFailure.get(wait.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException | ExecutionException e) {
      log.debug("no reason was given for the failed connection", e);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  @Deprecated
  @Override
  public void connectionEvent(Connection connection, Events event) {
    write(event, "the server");
  }

  @Override
  public void connectionEvent(
      Connection connection, Events event, Long time, @Nullable String server) {
    write(event, server == null ? "the server" : ServerUrls.withoutCredentials(server));
  }

  private void write(Events event, String server) {
    switch (event) {
      case CONNECTED, RECONNECTED -> {
        connected = true;
        String how = event == Events.CONNECTED ? "connected" : "reconnected";
        log.atInfo().addKeyValue("event", "nats." + how).log("{} to {}", how, server);
      }
      case DISCONNECTED -> {
        if (connected) {
          connected = false;
          log.atWarn()
              .addKeyValue("event", "nats.disconnected")
              .log("disconnected from {}, reconnecting", server);
        }
      }
      case LAME_DUCK -> log.warn("{} is about to shut down, another will be found", server);
      default -> log.debug("connection {}", event.getEvent());
    }
  }

  @Override
  public void errorOccurred(Connection connection, String error) {
    log.warn("the server reports: {}", error);
  }

  @Override
  public void exceptionOccurred(Connection connection, Exception exception) {
    firstFailure.complete(exception);
    if (connected) {
      log.warn("connection failure: {}", exception.toString());
    } else {
      log.debug("connection attempt failed: {}", exception.toString());
    }
  }

  @Override
  public void slowConsumerDetected(Connection connection, Consumer consumer) {
    log.warn("a subscription is too slow and loses messages: {}", consumer);
  }

  @Override
  public void messageDiscarded(Connection connection, Message message) {
    log.warn("the outgoing queue is full, a message to {} is dropped", message.getSubject());
  }

  @Override
  public void heartbeatAlarm(
      Connection connection, JetStreamSubscription subscription, long stream, long consumer) {
    log.warn("no heartbeat from the server for {}", name(subscription));
  }

  @Override
  public void unhandledStatus(
      Connection connection, JetStreamSubscription subscription, Status status) {
    log.warn("unknown status for {}: {}", name(subscription), status.getMessageWithCode());
  }

  @Override
  public void pullStatusWarning(
      Connection connection, JetStreamSubscription subscription, Status status) {
    log.debug("pull of {}: {}", name(subscription), status.getMessageWithCode());
  }

  @Override
  public void pullStatusError(
      Connection connection, JetStreamSubscription subscription, Status status) {
    log.warn("pull of {} failed: {}", name(subscription), status.getMessageWithCode());
  }

  @Override
  public void socketWriteTimeout(Connection connection) {
    log.warn("the server takes no more bytes, reconnecting");
  }

  private static String name(JetStreamSubscription subscription) {
    String name = subscription.getConsumerName();
    return name == null ? "a consumer without a name" : name;
  }
}
