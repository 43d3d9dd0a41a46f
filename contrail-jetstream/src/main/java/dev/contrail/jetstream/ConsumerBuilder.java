package dev.contrail.jetstream;

import dev.contrail.Codec;
import dev.contrail.Handler;
import dev.contrail.ledger.LedgerFactory;
import dev.contrail.policy.Backoff;
import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import dev.contrail.redaction.Redaction;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Describes a consumer, to be started with {@link #start}. Every setting has a default that is safe
 * in production; what is out of range is refused at once, with a sentence that says what is
 * accepted. Not thread-safe.
 *
 * @param <T> what the codec makes of a payload
 */
public final class ConsumerBuilder<T> {
  private static final Duration LEAST_ACK_WAIT = Duration.ofMillis(100);

  private final Connection connection;
  private final String stream;
  private final String name;
  private final Codec<T> codec;
  private final ConsumerOptions options;
  private @Nullable Handler<T> handler;

  ConsumerBuilder(
      Connection connection, String stream, String name, Codec<T> codec, ConsumerOptions options) {
    this.connection = connection;
    this.stream = stream;
    this.name = name;
    this.codec = codec;
    this.options = options;
  }

  /** How a payload is read; the bytes as they are by default. To be named before the handler. */
  public <U> ConsumerBuilder<U> codec(Codec<U> newCodec) {
    return new ConsumerBuilder<>(connection, stream, name, newCodec, options);
  }

  /** What is done for each message. */
  public ConsumerBuilder<T> handler(Handler<T> newHandler) {
    this.handler = newHandler;
    return this;
  }

  /** Take only these subjects of the stream. Servers before 2.10 take one at most. */
  public ConsumerBuilder<T> filter(String... subjects) {
    options.filters = List.of(subjects);
    return this;
  }

  /**
   * How soon a dead worker's messages go to another; 30 s. Handlers may run longer, for their
   * leases are extended. A consumer that is there already keeps its own unless it may be updated.
   */
  public ConsumerBuilder<T> ackWait(Duration ackWait) {
    if (ackWait.compareTo(LEAST_ACK_WAIT) < 0) {
      throw new IllegalArgumentException(
          "AckWait is " + ackWait + ", but must be at least " + LEAST_ACK_WAIT);
    }
    options.ackWait = Optional.of(ackWait);
    return this;
  }

  /** An unclassified failure on this delivery dead-letters the message; 100. */
  public ConsumerBuilder<T> deliveryLimit(long limit) {
    return retry(options.policy.retry().withDeliveryLimit(limit));
  }

  /** The delays after failures that name none; 1 s × 2, at most 5 min, full jitter. */
  public ConsumerBuilder<T> backoff(Backoff backoff) {
    return retry(options.policy.retry().withBackoff(backoff));
  }

  /** How long a failure declared transient does not kill, however often it comes; 24 h. */
  public ConsumerBuilder<T> retryWindow(Duration window) {
    return retry(options.policy.retry().withRetryWindow(window));
  }

  /** When failed messages come again and when they die, in full. */
  public ConsumerBuilder<T> retry(RetryPolicy policy) {
    return policy(options.policy.withRetry(policy));
  }

  /** When failures are taken for an outage of what the handler depends on. */
  public ConsumerBuilder<T> breaker(BreakerPolicy policy) {
    return policy(options.policy.withBreaker(policy));
  }

  /** How many handlers run at once; 256 on virtual threads, else twice the processors. */
  public ConsumerBuilder<T> concurrency(int concurrency) {
    int window = Math.max(options.policy.window(), concurrency);
    return policy(options.policy.withConcurrency(concurrency).withWindow(window));
  }

  /** How many messages this worker may hold unacknowledged; 2,048. */
  public ConsumerBuilder<T> window(int window) {
    return policy(options.policy.withWindow(window));
  }

  /**
   * How many bytes, headers and payload, this worker may hold unacknowledged; a quarter of the
   * memory that the JVM may use. A message that is larger is taken when no other is held.
   */
  public ConsumerBuilder<T> windowBytes(long bytes) {
    options.windowBytesChosen = true;
    return policy(options.policy.withWindowBytes(bytes));
  }

  /** After this a handler is interrupted and its delivery has failed; 10 min. */
  public ConsumerBuilder<T> handlerTimeout(Duration timeout) {
    return policy(options.policy.withHandlerTimeout(timeout));
  }

  /** How long {@link ContrailConsumer#close} lets handlers finish; 30 s. */
  public ConsumerBuilder<T> drainTimeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException(
          "drain timeout is " + timeout + ", but must not be negative");
    }
    options.drainTimeout = timeout;
    return this;
  }

  /** MaxAckPending of a consumer that is made; 20,000. Messages awaiting their retry count too. */
  public ConsumerBuilder<T> maxAckPending(long most) {
    if (most < 1) {
      throw new IllegalArgumentException("MaxAckPending is " + most + ", but must be at least 1");
    }
    options.maxAckPending = most;
    return this;
  }

  /** Allows an existing consumer to be changed on the server to what is asked for here. */
  public ConsumerBuilder<T> updateConsumer() {
    options.update = true;
    return this;
  }

  /**
   * Keeps the completions in this ledger, not in JetStream. A message whose completion is recorded
   * is acked and not run when it is delivered again.
   */
  public ConsumerBuilder<T> ledger(LedgerFactory ledger) {
    options.ledger = LedgerChoice.of(ledger);
    return this;
  }

  /**
   * Which ledger of this consumer is used; 0. Under another number nothing is completed yet, so
   * that whatever is delivered again is processed again, on purpose. All workers of the consumer
   * have to name the same.
   */
  public ConsumerBuilder<T> ledgerGeneration(int generation) {
    if (generation < 0) {
      throw new IllegalArgumentException(
          "ledger generation " + generation + " is not possible; 0 and above are");
    }
    options.ledgerGeneration = generation;
    return this;
  }

  /**
   * Keeps no record of completions. Whatever is delivered again is run again: after a crash between
   * the handler and the ack, after a server that lost its acks, and when an ack gets lost.
   */
  public ConsumerBuilder<T> withoutLedger() {
    options.ledger = LedgerChoice.of(LedgerChoice.Kind.NONE);
    return this;
  }

  /**
   * Leaves it to the handler to record completions, in the same transaction as its effects, and to
   * return without an effect for a message that it finds recorded.
   */
  public ConsumerBuilder<T> handlerRecordsCompletions() {
    options.ledger = LedgerChoice.of(LedgerChoice.Kind.BY_HANDLER);
    return this;
  }

  /** Whether the streams that Contrail needs are made when missing (default) or only checked. */
  public ConsumerBuilder<T> provision(Provision provision) {
    options.provision = provision;
    return this;
  }

  /** Accepts dead letters that are kept on fewer servers than the messages they are of. */
  public ConsumerBuilder<T> allowFewerReplicas() {
    options.fewerReplicas = true;
    return this;
  }

  /** Under which prefix Contrail's streams and subjects are found; {@code contrail}. */
  public ConsumerBuilder<T> prefix(String prefix) {
    options.names = new Names(prefix);
    return this;
  }

  /** The JetStream domain or API prefix, and how long to wait for its answers. */
  public ConsumerBuilder<T> jetStream(JetStreamOptions jetStream) {
    options.jetStream = jetStream;
    return this;
  }

  /** The name of this worker in its dead letters; process and host by default. */
  public ConsumerBuilder<T> workerName(String worker) {
    options.worker = Optional.of(worker);
    return this;
  }

  /** The version of the application in its dead letters. */
  public ConsumerBuilder<T> appVersion(String version) {
    options.appVersion = Optional.of(version);
    return this;
  }

  /**
   * Does not tell operators what this worker is doing. By default it is told every 5 s in a bucket
   * that forgets it after 30 s, for {@code contrail workers ls} and the console.
   */
  public ConsumerBuilder<T> withoutReports() {
    options.reports = false;
    return this;
  }

  /**
   * What is blanked out of messages before they are stored as dead letters; nothing by default.
   * Nobody can bring it back: such a dead letter says that it is redacted, and is replayed only
   * with another payload. What exceptions say is stored as it is.
   */
  public ConsumerBuilder<T> redactDeadLetters(Redaction rules) {
    options.redaction = rules;
    return this;
  }

  /** Is told of deaths, retries, holds and the like; called on Contrail's thread: be quick. */
  public ConsumerBuilder<T> onNotice(Consumer<ConsumerNotice> listener) {
    options.listener = listener;
    return this;
  }

  /**
   * Measures it until it is closed; not at all by default. {@code ContrailMeters.in(registry)} is
   * for Micrometer.
   */
  public ConsumerBuilder<T> meters(ConsumerMeters meters) {
    options.meters = meters;
    return this;
  }

  /**
   * Makes or adopts the durable consumer and begins to work.
   *
   * @throws ContrailException when the stream is missing, the consumer is unsafe to work with, or
   *     the server does not let us; the message is one sentence for people
   */
  public ContrailConsumer start() {
    return ConsumerStarter.start(connection, stream, name, options, codec, handler());
  }

  /**
   * Makes or adopts the durable consumer, and works only when told, step by step: for tests. This
   * builder is not to be used afterwards.
   *
   * @throws ContrailException as {@link #start}
   */
  public SteppedConsumer stepped() {
    Handler<T> chosen = handler();
    options.ackWait = options.ackWait.or(() -> Optional.of(SteppedConsumer.ACK_WAIT));
    options.policy = SteppedConsumer.policy(options.policy);
    return new SteppedConsumer(
        connection,
        options,
        () -> ConsumerStarter.prepare(connection, stream, name, options, codec, chosen));
  }

  private Handler<T> handler() {
    if (handler == null) {
      throw new IllegalStateException(
          "consumer " + name + " has no handler: name it after the codec, before start()");
    }
    return handler;
  }

  ConsumerBuilder<T> options(Consumer<ConsumerOptions> change) {
    change.accept(options);
    return this;
  }

  private ConsumerBuilder<T> policy(WorkerPolicy policy) {
    options.policy = policy;
    return this;
  }
}
