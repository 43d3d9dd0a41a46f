package dev.contrail.operations.guard;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.guard.Handling.Outcome;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.Advisory;
import io.nats.client.Connection;
import io.nats.client.ConsumerContext;
import io.nats.client.FetchConsumeOptions;
import io.nats.client.FetchConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads captured advisories by a durable consumer that all guards share: what one did not
 * acknowledge, the next is given. Many are under way at once, each acknowledged when all that it
 * calls for is done.
 */
final class AdvisoryReader {
  /** What is unacknowledged so long is given to somebody else. */
  static final Duration ACK_WAIT = Duration.ofSeconds(30);

  private static final Duration PULL = Duration.ofSeconds(1);
  private static final Duration FIRST_WAIT = Duration.ofSeconds(5);
  static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);
  private static final int AT_ONCE = 256;

  /** Those that wait hold a place each, for up to as long as advisories are kept. */
  private static final int MOST_UNACKED = 100_000;

  /** More that wait are left to sweeps: each is looked at again and again. */
  private static final int MOST_WAITING = 2_000;

  /** So often it is made sure that nobody has deleted the consumer. */
  private static final long LOOK_NANOS = Duration.ofSeconds(10).toNanos();

  /** What is under way takes that long at most. */
  static final Duration LONGEST_ACT = Duration.ofSeconds(30);

  private final Connection connection;
  private final JetStreamOptions options;
  private final String stream;
  private final String durable;
  private final JetStreamServer server;
  private final Handling handling;
  private final Tally tally;
  private final BooleanSupplier leads;
  private final AtomicLong settled = new AtomicLong();
  private final Semaphore places = new Semaphore(AT_ONCE);
  private @Nullable ConsumerContext context;
  private boolean fromStart;
  private long lookedNanos = System.nanoTime();

  /**
   * For the advisories that are captured.
   *
   * @param guard which of them matter, and whether to begin with those that were worked off before
   */
  AdvisoryReader(
      Connection connection,
      JetStreamOptions options,
      Names names,
      GuardOptions guard,
      Handling handling,
      Tally tally,
      BooleanSupplier leads) {
    this.connection = connection;
    this.options = options;
    this.stream = names.advisoryStream();
    this.durable = durable(names, guard);
    this.fromStart = guard.fromStart();
    this.server = new JetStreamServer(connection, options);
    this.handling = handling;
    this.tally = tally;
    this.leads = leads;
  }

  /** The name of the consumer that guards share. */
  static String durable(Names names, GuardOptions guard) {
    return names.prefix() + "-guard" + guard.part();
  }

  /**
   * Begins to handle what is there.
   *
   * @param await whether to wait a while where there is nothing
   * @return how many there were
   */
  int read(boolean await) throws InterruptedException {
    FetchConsumeOptions.Builder how = FetchConsumeOptions.builder().maxMessages(AT_ONCE);
    how = await ? how.expiresIn(PULL.toMillis()) : how.noWait();
    int count = 0;
    long began = System.nanoTime();
    try (FetchConsumer pull = context().fetch(how.build())) {
      Message next = pull.nextMessage();
      while (next != null) {
        count++;
        begin(next);
        next = pull.nextMessage();
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      // Somebody may have deleted the consumer.
      context = null;
      throw unreadable(e);
    }
    if (count == 0) {
      requireConsumer(await, began);
    }
    return count;
  }

  /** A consumer that is not there has no advisories either, and does not say so. */
  private void requireConsumer(boolean await, long began) throws InterruptedException {
    long left = await ? began + PULL.toNanos() - System.nanoTime() : 0;
    boolean early = left > PULL.toNanos() / 2;
    if (await && !early && System.nanoTime() - lookedNanos < LOOK_NANOS) {
      return;
    }
    lookedNanos = System.nanoTime();
    if (consumer().isEmpty()) {
      context = null;
      throw new ContrailException("the consumer " + durable + " of " + stream + " was deleted");
    }
    if (early) {
      // Or it would ask without a pause.
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }

  private ContrailException unreadable(Exception e) {
    return new ContrailException("stream " + stream + " cannot be read: " + e.getMessage(), e);
  }

  private ConsumerContext context() throws IOException, JetStreamApiException {
    ConsumerContext known = context;
    if (known == null) {
      JetStreamManagement management = connection.jetStreamManagement(options);
      if (fromStart && consumer().isPresent()) {
        // Killed right here, whoever makes it again begins at the start too.
        management.deleteConsumer(stream, durable);
      }
      if (consumer().isEmpty()) {
        management.addOrUpdateConsumer(stream, configuration());
      }
      fromStart = false;
      known = connection.getConsumerContext(stream, durable, options);
      context = known;
    }
    return known;
  }

  private ConsumerConfiguration configuration() {
    return ConsumerConfiguration.builder()
        .durable(durable)
        .description("Contrail for NATS")
        .deliverPolicy(DeliverPolicy.All)
        .ackPolicy(AckPolicy.Explicit)
        .ackWait(ACK_WAIT)
        .maxDeliver(-1)
        .maxAckPending(MOST_UNACKED)
        .build();
  }

  private Optional<ConsumerInfo> consumer() {
    return server.consumer(stream, durable);
  }

  /** How many there are that nobody has acknowledged, those not counted that wait here. */
  long backlog() {
    return consumer()
        .map(it -> it.getNumPending() + it.getNumAckPending() - tally.waiting())
        .orElse(0L);
  }

  /** How many were done with so far. */
  long settled() {
    return settled.get();
  }

  private void begin(Message message) throws InterruptedException {
    Optional<Advisory> advisory = Advisory.parse(message.getData());
    if (advisory.isEmpty()) {
      message.ack();
      return;
    }
    if (!leads.getAsBoolean()) {
      message.nakWithDelay(FIRST_RETRY);
      return;
    }
    tally.advisory();
    // Given back by what settles it, whatever happens.
    places.acquire();
    CompletableFuture<Outcome> outcome;
    try {
      outcome = handling.handle(advisory.get(), message.metaData().deliveredCount() == 1);
    } catch (Throwable e) {
      outcome = CompletableFuture.failedFuture(e);
    }
    var unused =
        outcome.whenComplete(
            (done, failure) -> {
              try {
                settle(message, advisory.get(), done, failure);
              } catch (Throwable e) {
                // Not told to the server: the advisory comes again.
                tally.failed("The ack of an advisory", e);
              } finally {
                places.release();
              }
            });
  }

  private void settle(
      Message message, Advisory advisory, @Nullable Outcome outcome, @Nullable Throwable failure) {
    if (failure != null) {
      tally.failed("What " + advisory.message() + " calls for", failure);
    }
    Optional<Duration> again =
        again(Optional.ofNullable(outcome), message.metaData().deliveredCount(), tally.waiting());
    if (again.isPresent()) {
      message.nakWithDelay(again.get());
    } else {
      tally.settled(advisory.message());
      message.ack();
      settled.incrementAndGet();
    }
  }

  /**
   * After what time an advisory is to be looked at again; empty when all is done.
   *
   * @param outcome empty where that failed
   * @param delivery how often it was given to a guard
   * @param waiting how many wait
   */
  static Optional<Duration> again(Optional<Outcome> outcome, long delivery, long waiting) {
    if (outcome.isEmpty()) {
      return Optional.of(doubled(FIRST_RETRY, LONGEST_RETRY, delivery));
    }
    return switch (outcome.get()) {
      case WAITS ->
          waiting <= MOST_WAITING
              ? Optional.of(doubled(FIRST_WAIT, LONGEST_WAIT, delivery))
              : Optional.empty();
      case NOT_MINE, AGAIN -> Optional.of(FIRST_RETRY);
      case DONE -> Optional.empty();
    };
  }

  private static Duration doubled(Duration first, Duration longest, long delivery) {
    long times = 1L << Math.min(20, Math.max(0, delivery - 1));
    Duration delay = first.multipliedBy(times);
    return delay.compareTo(longest) > 0 ? longest : delay;
  }

  /** Waits until nothing is under way; false when that takes longer. */
  boolean awaitIdle(Duration atMost) throws InterruptedException {
    if (!places.tryAcquire(AT_ONCE, atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      return false;
    }
    places.release(AT_ONCE);
    return true;
  }
}
