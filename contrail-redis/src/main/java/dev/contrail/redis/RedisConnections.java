package dev.contrail.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to a Redis, one after the other. Lettuce would mend a connection by itself, but
 * then sends again what was under way, to whatever answers at that address by now: a replica, after
 * a failover, tells of old completions only. So each server is looked at before it is used, what is
 * under way on a connection ends with it, and nothing piles up on one that is silent.
 */
final class RedisConnections implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisLedger.class);

  private static final Duration END_LIMIT = Duration.ofSeconds(2);
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration FIRST_DELAY = Duration.ofMillis(10);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

  private final String name;
  private final RedisURI uri;
  private final RedisClient client;
  private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;
  private volatile boolean closed;
  private CompletableFuture<?> underWay = CompletableFuture.completedFuture(null);
  private List<String> warnings = List.of();
  private String refusal = "";

  /**
   * Connects.
   *
   * @throws RedisLedgerException when that is not possible
   */
  RedisConnections(RedisURI uri) {
    this.name = RedisLink.nameOf(uri);
    this.uri = RedisURI.builder(uri).withTimeout(CONNECT_LIMIT).build();
    this.client = RedisClient.create();
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
            .socketOptions(SocketOptions.builder().connectTimeout(CONNECT_LIMIT).build())
            .maintNotificationsConfig(MaintNotificationsConfig.disabled())
            .build());
    try {
      use(connected().join());
    } catch (CompletionException e) {
      shutDown();
      Throwable cause = RedisLink.unwrapped(e);
      throw cause instanceof RedisLedgerException unfit
          ? unfit
          : new RedisUnavailableException(
              "Redis at " + name + " cannot be used: " + ConnectReason.of(cause, uri.isSsl()),
              cause);
    }
  }

  /** The one to use now; empty while there is none. */
  Optional<StatefulRedisConnection<byte[], byte[]>> current() {
    return Optional.ofNullable(connection);
  }

  /** Ends this one, if it is still in use, and looks for the next. */
  void lost(StatefulRedisConnection<byte[], byte[]> gone) {
    synchronized (this) {
      if (closed || connection != gone) {
        return;
      }
      connection = null;
    }
    var unused = gone.closeAsync();
    reconnect(FIRST_DELAY);
  }

  private void reconnect(Duration delay) {
    CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> attempt(delay));
  }

  private synchronized void attempt(Duration delay) {
    if (!closed) {
      underWay =
          connected()
              .whenComplete(
                  (fresh, failure) -> {
                    if (failure == null) {
                      use(fresh);
                    } else {
                      missed(RedisLink.unwrapped(failure));
                      Duration doubled = delay.multipliedBy(2);
                      reconnect(doubled.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : doubled);
                    }
                  });
    }
  }

  private void use(StatefulRedisConnection<byte[], byte[]> fresh) {
    fresh.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> ignored) {
            lost(fresh);
          }
        });
    connection = fresh;
    if (closed) {
      var unused = fresh.closeAsync();
    } else if (!fresh.isOpen()) {
      lost(fresh);
    }
  }

  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connected() {
    return client
        .connectAsync(ByteArrayCodec.INSTANCE, uri)
        .toCompletableFuture()
        .thenCompose(
            fresh ->
                info(fresh)
                    .thenApply(
                        info -> {
                          check(ServerFitness.of(info));
                          return fresh;
                        })
                    .whenComplete(
                        (fit, failure) -> {
                          if (failure != null) {
                            var unused = fresh.closeAsync();
                          }
                        }));
  }

  /** What it says of itself; nothing when this user may not ask. */
  private static CompletionStage<String> info(StatefulRedisConnection<byte[], byte[]> fresh) {
    return fresh
        .async()
        .info()
        .toCompletableFuture()
        .orTimeout(CONNECT_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionallyCompose(
            failure -> {
              Throwable cause = RedisLink.unwrapped(failure);
              boolean forbidden =
                  cause instanceof RedisCommandExecutionException
                      && String.valueOf(cause.getMessage()).startsWith("NOPERM");
              return forbidden
                  ? CompletableFuture.completedFuture("")
                  : CompletableFuture.failedFuture(cause);
            });
  }

  private synchronized void check(ServerFitness server) {
    server
        .refusal()
        .ifPresent(
            why -> {
              throw new RedisLedgerException("Redis at " + name + " " + why);
            });
    if (!server.warnings().equals(warnings)) {
      warnings = server.warnings();
      warnings.forEach(warning -> log.warn("Redis at {} {}", name, warning));
    }
    refusal = "";
  }

  /** Said once: it is tried again and again. */
  private synchronized void missed(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof RedisLedgerException && !refusal.equals(message)) {
      refusal = message;
      log.warn("{}", message);
    } else {
      log.debug("Redis at {}: {}", name, message);
    }
  }

  @Override
  public void close() {
    CompletableFuture<?> last;
    synchronized (this) {
      closed = true;
      last = underWay;
    }
    // One that is made while the client ends would keep it from ending.
    await(last);
    shutDown();
  }

  private void shutDown() {
    await(client.shutdownAsync(0, END_LIMIT.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Not for ever: its threads do not keep a program from ending. */
  private void await(CompletableFuture<?> end) {
    try {
      end.handle((result, failure) -> true).get(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      log.debug("Redis at {}: the connection takes its time to end", name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
