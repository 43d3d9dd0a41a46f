package dev.contrail.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The connection to Redis that all ledgers of a {@link RedisLedger} share. Every call is answered
 * within its time: what waits longer has failed, and while there is no connection calls fail at
 * once. It comes back by itself, and a connection on which nothing is answered is replaced, for
 * otherwise it would be minutes until the system gives a dead one up.
 */
final class RedisLink implements AutoCloseable {
  private static final Duration END_LIMIT = Duration.ofSeconds(2);
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofSeconds(1);
  private static final Duration EXTRA_PER_COMMAND = Duration.ofNanos(50_000);

  private final String name;
  private final RedisURI uri;
  private final Duration timeout;
  private final ClientResources resources;
  private final RedisClient client;
  private final AtomicBoolean replacing = new AtomicBoolean();
  private volatile StatefulRedisConnection<byte[], byte[]> connection;
  private volatile long heardNanos = System.nanoTime();
  private volatile boolean closed;

  /**
   * Connects.
   *
   * @param timeout how long an answer may take
   * @throws RedisLedgerException when that is not possible
   */
  RedisLink(RedisURI uri, Duration timeout) {
    this.name = nameOf(uri);
    this.timeout = timeout;
    this.uri = RedisURI.builder(uri).withTimeout(CONNECT_LIMIT).build();
    this.resources =
        ClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .reconnectDelay(
                Delay.exponential(
                    Duration.ofMillis(1), LONGEST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .build();
    this.client = RedisClient.create(resources);
    client.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
            .socketOptions(SocketOptions.builder().connectTimeout(CONNECT_LIMIT).build())
            .maintNotificationsConfig(MaintNotificationsConfig.disabled())
            .build());
    try {
      this.connection = client.connect(ByteArrayCodec.INSTANCE, this.uri);
    } catch (RuntimeException e) {
      shutDown();
      throw new RedisLedgerException("Redis at " + name + " cannot be used: " + reason(e), e);
    }
  }

  /** Where it leads, without what must not be shown. */
  static String nameOf(RedisURI uri) {
    return (uri.isSsl() ? "rediss://" : "redis://")
        + uri.getHost()
        + ":"
        + uri.getPort()
        + (uri.getDatabase() == 0 ? "" : "/" + uri.getDatabase());
  }

  CompletableFuture<Void> send(Pipeline pipeline) {
    var steps = pipeline.steps();
    if (steps.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    Duration limit = timeout.plus(EXTRA_PER_COMMAND.multipliedBy(steps.size()));
    var unused = connection.dispatch(steps);
    return within(pipeline.answer(), limit, pipeline::isHeard)
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                pipeline.cancel();
              }
            });
  }

  <T> CompletableFuture<T> ask(
      Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> question) {
    var answer = question.apply(connection.async()).toCompletableFuture();
    return within(answer, timeout, () -> false);
  }

  private <T> CompletableFuture<T> within(
      CompletableFuture<T> answer, Duration limit, BooleanSupplier heard) {
    long sentNanos = System.nanoTime();
    return answer
        .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (result, failure) -> {
              if (failure == null) {
                heardNanos = System.nanoTime();
              }
            })
        .exceptionallyCompose(
            wrapped -> {
              Throwable cause = unwrapped(wrapped);
              // One that answers, if slowly, is not helped by losing what it has to answer yet.
              boolean silent = !heard.getAsBoolean() && heardNanos - sentNanos < 0;
              if (cause instanceof TimeoutException && silent) {
                replaceConnection();
              }
              return CompletableFuture.failedFuture(
                  new RedisLedgerException("Redis at " + name + ": " + reason(cause), cause));
            });
  }

  private void replaceConnection() {
    if (closed || !replacing.compareAndSet(false, true)) {
      return;
    }
    var unused =
        client
            .connectAsync(ByteArrayCodec.INSTANCE, uri)
            .whenComplete(
                (fresh, failure) -> {
                  if (failure == null) {
                    use(fresh);
                  }
                  replacing.set(false);
                });
  }

  private void use(StatefulRedisConnection<byte[], byte[]> fresh) {
    StatefulRedisConnection<byte[], byte[]> silent = connection;
    connection = fresh;
    var unused = silent.closeAsync();
  }

  private static String reason(Throwable cause) {
    if (cause instanceof TimeoutException) {
      return "it did not answer in time";
    }
    // What Lettuce says of a connection that failed is that it failed; its cause says why.
    Throwable root = cause;
    while (root.getCause() != null && root.getCause().getMessage() != null) {
      root = root.getCause();
    }
    String text = String.valueOf(root.getMessage());
    return text.startsWith("Currently not connected") ? "there is no connection" : text;
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  @Override
  public void close() {
    closed = true;
    shutDown();
  }

  private void shutDown() {
    client.shutdown(Duration.ZERO, END_LIMIT);
    var unused = resources.shutdown(0, END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public String toString() {
    return name;
  }
}
