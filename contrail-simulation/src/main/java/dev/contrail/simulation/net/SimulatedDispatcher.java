package dev.contrail.simulation.net;

import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.MessageHandler;
import io.nats.client.Subscription;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Where a connection hands over what it is subscribed to. */
public final class SimulatedDispatcher {
  private final SimulatedConnection connection;
  private final Map<String, MessageHandler> handlers = new LinkedHashMap<>();
  private final Dispatcher face = Facade.of(Dispatcher.class, this);

  SimulatedDispatcher(SimulatedConnection connection) {
    this.connection = connection;
  }

  Dispatcher face() {
    return face;
  }

  Map<String, MessageHandler> handlers() {
    return handlers;
  }

  public void setPendingLimits(long messages, long bytes) {}

  /** Patterns end with a star, and are told apart by what comes before it. */
  public @Nullable Subscription subscribe(String pattern, MessageHandler handler) {
    handlers.put(pattern, handler);
    connection.subscribe(pattern);
    return null;
  }

  /** Done when the server knows, and all that came before has been handed over. */
  public CompletableFuture<Boolean> drain(Duration timeout) {
    CompletableFuture<Boolean> drained = new CompletableFuture<>();
    handlers.keySet().forEach(connection::unsubscribe);
    connection.ping(
        () -> {
          close();
          drained.complete(true);
        });
    return drained;
  }

  void close() {
    connection.remove(this);
    handlers.clear();
  }

  boolean take(String subject, Message message) {
    for (Map.Entry<String, MessageHandler> each : handlers.entrySet()) {
      String pattern = each.getKey();
      if (subject.startsWith(pattern.substring(0, pattern.length() - 1))) {
        handle(each.getValue(), message);
        return true;
      }
    }
    return false;
  }

  private static void handle(MessageHandler handler, Message message) {
    try {
      handler.onMessage(message);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a simulation", e);
    }
  }
}
