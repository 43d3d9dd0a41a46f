package dev.contrail.jetstream;

import dev.contrail.engine.WorkerStatus;
import dev.contrail.jetstream.report.WorkerReport;
import io.nats.client.Connection;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells every few seconds what a worker is doing, in a bucket that forgets it soon. Whatever comes
 * of that is of no concern to the work: it is logged once, and tried again later. Driven by one
 * thread, which is not the worker's; only {@link #end} may come from another.
 */
final class WorkerReporter {
  private static final Logger log = LoggerFactory.getLogger(ContrailConsumer.class);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

  private final Connection connection;
  private final JetStreamApi api;
  private final WorkerReport.Who who;
  private final String bucket;
  private final Runnable provision;
  private final SignalTarget worker;
  private final WorkerTroubles troubles;
  private final Surroundings surroundings;
  private final Patience patience;
  private final RetryingMessages retrying = new RetryingMessages();
  private final RateMeter rates = new RateMeter();
  private @Nullable CompletableFuture<Void> underWay;
  private boolean ended;

  /** What the worker answers. */
  private record Answer(
      WorkerStatus status,
      OptionalLong oldestStartNanos,
      WorkerTroubles.Standing standing,
      BitSet retrying) {}

  /**
   * Of a worker.
   *
   * @param provision makes the bucket if it may, else throws
   */
  WorkerReporter(
      Connection connection,
      JetStreamApi api,
      WorkerReport.Who who,
      Names names,
      Duration every,
      Runnable provision,
      SignalTarget worker,
      WorkerTroubles troubles) {
    this.connection = connection;
    this.api = api;
    this.who = who;
    this.bucket = names.workersBucket();
    this.provision = provision;
    this.worker = worker;
    this.troubles = troubles;
    this.surroundings = api.surroundings();
    this.patience = new Patience(every, surroundings.nanoTime());
  }

  /** To be called about once a second. */
  void beat() throws InterruptedException {
    retrying.add(troubles.takeFailures());
    retrying.addUnnoted(troubles.takeUnnoted());
    long now = surroundings.nanoTime();
    if (underWay != null && underWay.isDone()) {
      heed(underWay, now);
      underWay = null;
    }
    if (underWay == null && patience.isDue(now) && isConnected()) {
      patience.begun(now);
      report(now);
    }
  }

  /** Something has changed that is worth telling at once. */
  void soon() {
    patience.soon(surroundings.nanoTime());
  }

  private boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  private void report(long now) throws InterruptedException {
    RetryingMessages.Question question = retrying.question(now);
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    worker.send(
        (it, at) ->
            answer.complete(
                new Answer(
                    it.status(), it.oldestStartNanos(), troubles.standing(), question.answer(it))));
    try {
      Answer heard = answer.get(ANSWER_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
      retrying.keep(question, heard.retrying());
      send(written(heard).encode());
    } catch (TimeoutException | ExecutionException e) {
      log.debug("{}: the worker does not say what it is doing", who.consumer(), e);
    }
  }

  private WorkerReport written(Answer heard) {
    Instant at = surroundings.clock().instant();
    long now = surroundings.nanoTime();
    WorkerStatus status = heard.status();
    RetryingMessages.Told told = retrying.tell();
    OptionalLong oldest = heard.oldestStartNanos();
    return new WorkerReport(
        who,
        at,
        status.counts(),
        rates.add(status.counts(), now),
        new WorkerReport.Load(
            status.inFlight(),
            status.held(),
            oldest.isPresent()
                ? java.util.Optional.of(at.minusNanos(Math.max(0, now - oldest.getAsLong())))
                : java.util.Optional.empty()),
        status.paused(),
        heard.standing().breaker(),
        heard.standing().holds(),
        told.retrying(),
        told.more());
  }

  private synchronized void send(byte[] report) {
    if (!ended) {
      underWay = api.publish("KV_" + bucket, subject(), new Headers(), report);
    }
  }

  private String subject() {
    return "$KV." + bucket + "." + who.stream() + "." + who.consumer() + "." + who.instance();
  }

  private void heed(CompletableFuture<Void> sent, long now) {
    Throwable failure = sent.handle((nothing, thrown) -> thrown).join();
    if (failure == null) {
      if (patience.succeeded()) {
        log.info("{}/{}: its reports are stored again", who.stream(), who.consumer());
      }
      return;
    }
    Throwable cause = JetStreamApi.unwrapped(failure);
    if (!isConnected()) {
      patience.soon(now);
    } else if (!isMade(cause)) {
      failed(cause, now);
    }
  }

  /** Makes the bucket where it is missing; returns whether that went well. */
  private boolean isMade(Throwable cause) {
    if (!(cause instanceof NobodyListensException)) {
      return false;
    }
    try {
      provision.run();
      patience.soon(surroundings.nanoTime());
      return true;
    } catch (ContrailException e) {
      cause.addSuppressed(e);
      return false;
    }
  }

  private void failed(Throwable cause, long now) {
    if (patience.failed(now)) {
      log.warn(
          "{}/{}: what it does cannot be stored in {} for operators to see, which does not keep it"
              + " from work: {}",
          who.stream(),
          who.consumer(),
          bucket,
          List.of(cause.getSuppressed()).stream()
              .map(Throwable::getMessage)
              .findFirst()
              .orElse(String.valueOf(cause.getMessage())));
    } else {
      log.debug("{}/{}: still not reported", who.stream(), who.consumer(), cause);
    }
  }

  /** Takes the report away and sends none any more. */
  synchronized void end() {
    if (!ended) {
      ended = true;
      if (isConnected()) {
        connection.publish(subject(), new Headers().put("KV-Operation", "DEL"), new byte[0]);
      }
    }
  }
}
