package dev.contrail.operations.lease;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.KeyValue;
import io.nats.client.KeyValueOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that one of several processes does: a key in the bucket for leases, which ends by itself
 * when it is not renewed. It is no fence. A process that was paused believes for a moment that it
 * leads, so every act must be safe when two do it.
 *
 * <p>Renewed by a thread of its own. Thread-safe.
 */
public final class LeaderLease implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LeaderLease.class);
  private static final int WRONG_LAST_SEQUENCE = 10071;
  private static final int RENEWALS = 6;

  /** Of this process. What another one of it has stored was given up in doubt, and is nobody's. */
  private static final Set<Holder> OPEN = ConcurrentHashMap.newKeySet();

  private final KeyValue bucket;
  private final String key;
  private final Holder self;
  private final long everyNanos;
  private final long believedNanos;
  private final ScheduledExecutorService renewal;
  private boolean contending;
  private boolean renewing;
  private boolean closed;
  private volatile boolean held;
  private volatile long renewedNanos;
  private volatile @Nullable Holder other;
  private volatile @Nullable String trouble;
  private long triedNanos = System.nanoTime();

  private LeaderLease(KeyValue bucket, String key, Holder self, Duration ttl) {
    this.bucket = bucket;
    this.key = key;
    this.self = self;
    this.everyNanos = ttl.toNanos() / RENEWALS;
    this.believedNanos = ttl.toNanos() / 2;
    OPEN.add(self);
    this.renewal =
        Executors.newSingleThreadScheduledExecutor(
            body -> {
              Thread thread = new Thread(body, "contrail-lease");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * The lease of a task, which nobody has by that alone.
   *
   * @param task such as {@code guard}: a name that may stand in a subject
   * @param by who wants it, for people to read
   * @throws ContrailException when the bucket for leases cannot be used
   */
  public static LeaderLease of(
      Connection connection, JetStreamOptions options, Names names, String task, String by) {
    KeyValueOptions how = KeyValueOptions.builder().jetStreamOptions(options).build();
    try {
      Duration ttl = connection.keyValueManagement(how).getStatus(names.leasesBucket()).getTtl();
      if (ttl.isZero()) {
        throw new ContrailException(
            "The bucket " + names.leasesBucket() + " keeps leases for ever; it needs a TTL.");
      }
      return new LeaderLease(
          connection.keyValue(names.leasesBucket(), how), task, Holder.here(by), ttl);
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw unusable(names.leasesBucket(), e);
    }
  }

  /**
   * Tries once. What is taken is renewed until it is closed, or lost.
   *
   * @return whether it is held now; {@link #other} tells by whom if not
   * @throws ContrailException when the bucket for leases cannot be used
   */
  public synchronized boolean tryTake() {
    try {
      return tryNow();
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw unusable(bucket.getBucketName(), e);
    }
  }

  /**
   * Takes it from whoever has it.
   *
   * @throws ContrailException when the bucket for leases cannot be used
   */
  public synchronized void takeOver() {
    try {
      put();
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw unusable(bucket.getBucketName(), e);
    }
  }

  /** Tries until it is closed, and again whenever it was lost. */
  public synchronized LeaderLease contend() {
    contending = true;
    startRenewing(0);
    return this;
  }

  /**
   * Whether this process leads, as far as it can know: false well before the lease is over when it
   * could not be renewed. Asks nobody.
   */
  public boolean isHeld() {
    // Measured by a clock that goes on while the process is stopped.
    return held && System.nanoTime() - renewedNanos < believedNanos;
  }

  /** Who has it instead, by what was seen last; for people to read. */
  public Optional<String> other() {
    return Optional.ofNullable(other).map(Holder::name);
  }

  /**
   * Why it cannot be tried, since a while; empty if it can. Then nobody is known to have it either.
   */
  public Optional<String> trouble() {
    return Optional.ofNullable(trouble);
  }

  private synchronized void tick() {
    try {
      if (held || contending) {
        tryNow();
      }
    } catch (Throwable e) {
      // While the server is away the lease runs out for whoever asks, and this goes on trying; an
      // error that is thrown from here would end that.
      log.debug("the lease {} cannot be renewed", key, e);
      if (System.nanoTime() - triedNanos > believedNanos) {
        // Who had it may have lost it as well.
        other = null;
        trouble = unusable(bucket.getBucketName(), e).getMessage();
      }
    }
  }

  private boolean tryNow() throws IOException, JetStreamApiException {
    if (closed) {
      return false;
    }
    boolean taken = takeOrRenew();
    triedNanos = System.nanoTime();
    trouble = null;
    return taken;
  }

  private boolean takeOrRenew() throws IOException, JetStreamApiException {
    if (!held && created()) {
      return true;
    }
    Optional<Holder> now = stored();
    if (now.isPresent() && !isFree(now.get())) {
      other = now.get();
      held = false;
      return false;
    }
    put();
    return true;
  }

  private boolean isFree(Holder holder) {
    return holder.equals(self)
        || holder.isDeadHere()
        || (holder.isOfThisProcess() && !OPEN.contains(holder));
  }

  private boolean created() throws IOException, JetStreamApiException {
    long began = System.nanoTime();
    try {
      bucket.create(key, bytes());
      taken(began);
      return true;
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == WRONG_LAST_SEQUENCE) {
        return false;
      }
      throw e;
    }
  }

  private void put() throws IOException, JetStreamApiException {
    long began = System.nanoTime();
    bucket.put(key, bytes());
    taken(began);
  }

  /** Counted from before the request: the server may have taken it as soon as that. */
  private void taken(long beganNanos) {
    renewedNanos = beganNanos;
    held = true;
    other = null;
    startRenewing(everyNanos);
  }

  private void startRenewing(long afterNanos) {
    if (!renewing && !closed) {
      renewing = true;
      var unused =
          renewal.scheduleWithFixedDelay(this::tick, afterNanos, everyNanos, TimeUnit.NANOSECONDS);
    }
  }

  private Optional<Holder> stored() throws IOException, JetStreamApiException {
    return Optional.ofNullable(bucket.get(key))
        .flatMap(entry -> Holder.parse(String.valueOf(entry.getValueAsString())));
  }

  private byte[] bytes() {
    return self.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Gives it back. */
  @Override
  public void close() {
    renewal.shutdownNow();
    OPEN.remove(self);
    synchronized (this) {
      closed = true;
      if (!held) {
        return;
      }
      held = false;
      try {
        if (stored().filter(self::equals).isPresent()) {
          bucket.delete(key);
        }
      } catch (IOException | JetStreamApiException | RuntimeException e) {
        log.debug("the lease {} ends by itself", key, e);
      }
    }
  }

  private static ContrailException unusable(String bucket, Throwable e) {
    return new ContrailException("The bucket " + bucket + " cannot be used: " + e.getMessage(), e);
  }
}
