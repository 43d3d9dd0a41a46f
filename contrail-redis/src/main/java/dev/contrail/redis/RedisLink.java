package dev.contrail.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The way to Redis that all ledgers of a {@link RedisLedger} share. Every call is answered within
 * its time: what waits longer has failed, and while there is no connection calls fail at once. A
 * connection on which nothing is answered is given up, for otherwise it would be minutes until the
 * system does so.
 */
final class RedisLink implements AutoCloseable {
  private static final Duration EXTRA_PER_COMMAND = Duration.ofNanos(50_000);

  private final String name;
  private final Duration timeout;
  private final RedisConnections connections;
  private volatile long heardNanos = System.nanoTime();

  /**
   * Connects.
   *
   * @param timeout how long an answer may take
   * @throws RedisLedgerException when that is not possible
   */
  RedisLink(RedisURI uri, Duration timeout) {
    this.name = nameOf(uri);
    this.timeout = timeout;
    this.connections = new RedisConnections(uri);
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
    return call(
            connection -> {
              var unused = connection.dispatch(steps);
              return pipeline.answer();
            },
            limit,
            pipeline::isHeard)
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                pipeline.cancel();
              }
            });
  }

  <T> CompletableFuture<T> ask(
      Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> question) {
    return call(
        connection -> question.apply(connection.async()).toCompletableFuture(),
        timeout,
        () -> false);
  }

  private <T> CompletableFuture<T> call(
      Function<StatefulRedisConnection<byte[], byte[]>, CompletableFuture<T>> question,
      Duration limit,
      BooleanSupplier heard) {
    Optional<StatefulRedisConnection<byte[], byte[]>> connection = connections.current();
    if (connection.isEmpty()) {
      return failed(new CancellationException("there is no connection"));
    }
    long sentNanos = System.nanoTime();
    return question
        .apply(connection.get())
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
                connections.lost(connection.get());
              }
              return failed(cause);
            });
  }

  private <T> CompletableFuture<T> failed(Throwable cause) {
    return CompletableFuture.failedFuture(
        new RedisLedgerException("Redis at " + name + ": " + reason(cause), cause));
  }

  static String reason(Throwable cause) {
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

  static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  @Override
  public void close() {
    connections.close();
  }

  @Override
  public String toString() {
    return name;
  }
}
