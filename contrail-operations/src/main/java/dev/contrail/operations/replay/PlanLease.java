package dev.contrail.operations.replay;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.KeyValue;
import io.nats.client.KeyValueOptions;
import io.nats.client.api.KeyValueEntry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Keeps two from running a plan at once. It is no fence: what makes a plan safe is that each of its
 * steps is written once. It saves two operators from wondering where half of their entries went.
 */
final class PlanLease implements AutoCloseable {
  private static final Duration RENEWED_EVERY = Duration.ofSeconds(10);
  private static final int WRONG_LAST_SEQUENCE = 10071;

  private final KeyValue bucket;
  private final String key;
  private final byte[] holder;
  private final ScheduledExecutorService renewal;
  private volatile boolean lost;

  private PlanLease(KeyValue bucket, String key, String holder) {
    this.bucket = bucket;
    this.key = key;
    this.holder = holder.getBytes(StandardCharsets.UTF_8);
    this.renewal =
        Executors.newSingleThreadScheduledExecutor(
            body -> {
              Thread thread = new Thread(body, "contrail-lease");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Takes it, or tells who has it.
   *
   * @param takeOver whether to take it from whoever has it
   * @throws ContrailException when another process runs the plan, or the bucket cannot be used
   */
  static PlanLease take(
      Connection connection,
      JetStreamOptions options,
      Names names,
      String plan,
      String by,
      boolean takeOver) {
    try {
      KeyValue bucket =
          connection.keyValue(
              names.leasesBucket(), KeyValueOptions.builder().jetStreamOptions(options).build());
      PlanLease lease = new PlanLease(bucket, "plan." + plan, process() + " " + by);
      lease.take(plan, takeOver);
      return lease;
    } catch (IOException | JetStreamApiException e) {
      throw unusable(names, e);
    }
  }

  private void take(String plan, boolean takeOver) throws IOException, JetStreamApiException {
    if (!created()) {
      Optional<String> other = holder();
      if (other.isPresent() && !takeOver && !isDeadHere(other.get())) {
        throw new ContrailException(
            "Plan "
                + plan
                + " is being run by "
                + other.get().substring(other.get().indexOf(' ') + 1)
                + "; if that process died, this will be possible half a minute after, or with"
                + " --force.");
      }
      bucket.put(key, holder);
    }
    var unused =
        renewal.scheduleAtFixedRate(
            this::renew, RENEWED_EVERY.toMillis(), RENEWED_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  private boolean created() throws IOException, JetStreamApiException {
    try {
      bucket.create(key, holder);
      return true;
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == WRONG_LAST_SEQUENCE) {
        return false;
      }
      throw e;
    }
  }

  private Optional<String> holder() throws IOException, JetStreamApiException {
    return Optional.ofNullable(bucket.get(key))
        .map(KeyValueEntry::getValueAsString)
        .filter(text -> text.indexOf(' ') > 0);
  }

  /** A process of this machine that was killed need not be waited for. */
  private static boolean isDeadHere(String other) {
    String[] process = other.substring(0, other.indexOf(' ')).split("@", 2);
    return process.length == 2
        && process[1].equals(host())
        && ProcessHandle.of(Long.parseLong(process[0])).filter(ProcessHandle::isAlive).isEmpty();
  }

  private void renew() {
    try {
      Optional<String> now = holder();
      if (now.isPresent() && !now.get().equals(new String(holder, StandardCharsets.UTF_8))) {
        lost = true;
        return;
      }
      bucket.put(key, holder);
    } catch (IOException | JetStreamApiException e) {
      // The server is away, as whoever replays will notice.
    }
  }

  /** Whether another process runs the plan by now. */
  boolean isLost() {
    return lost;
  }

  @Override
  public void close() {
    renewal.shutdownNow();
    if (lost) {
      return;
    }
    try {
      bucket.delete(key);
    } catch (IOException | JetStreamApiException e) {
      // It ends by itself.
    }
  }

  private static String process() {
    return ProcessHandle.current().pid() + "@" + host();
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  private static ContrailException unusable(Names names, Exception e) {
    return new ContrailException(
        "The bucket " + names.leasesBucket() + " cannot be used: " + e.getMessage(), e);
  }
}
