package dev.contrail.operations.guard;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.stranded.GuardedMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Says that the point is reached, and does nothing more until it is let go on. */
final class StoppingGuardPort implements GuardPort {
  private final GuardPort port;
  private final GuardFault fault;
  private final Runnable reached;
  private final CompletableFuture<Void> goOn;
  private final AtomicBoolean stopped = new AtomicBoolean();

  StoppingGuardPort(
      GuardPort port, GuardFault fault, Runnable reached, CompletableFuture<Void> goOn) {
    this.port = port;
    this.fault = fault;
    this.reached = reached;
    this.goOn = goOn;
  }

  private <T> CompletableFuture<T> stopAfter(GuardFault point, CompletableFuture<T> act) {
    return act.thenCompose(
        result -> {
          if (fault == point && stopped.compareAndSet(false, true)) {
            reached.run();
          }
          return unlessStopped(result);
        });
  }

  private <T> CompletableFuture<T> unlessStopped(T result) {
    return stopped.get()
        ? goOn.thenApply(any -> result)
        : CompletableFuture.completedFuture(result);
  }

  @Override
  public CompletableFuture<Optional<StreamFacts>> stream(String stream) {
    return port.stream(stream).thenCompose(this::unlessStopped);
  }

  @Override
  public CompletableFuture<Boolean> isCompleted(GuardedMessage message) {
    return port.isCompleted(message).thenCompose(this::unlessStopped);
  }

  @Override
  public CompletableFuture<Burial.Result> bury(Corpse corpse) {
    CompletableFuture<Boolean> before =
        fault == GuardFault.RELEASE_FIRST
            ? stopAfter(GuardFault.RELEASE_FIRST, port.delete(corpse.stream(), corpse.sequence()))
            : stopAfter(GuardFault.BEFORE_BURIAL, CompletableFuture.completedFuture(true));
    return before.thenCompose(done -> stopAfter(GuardFault.AFTER_BURIAL, port.bury(corpse)));
  }

  @Override
  public CompletableFuture<Boolean> isBuried(DeadLetterId id) {
    return port.isBuried(id).thenCompose(this::unlessStopped);
  }

  @Override
  public CompletableFuture<Optional<String>> filedUnder(
      List<String> names, String stream, long sequence, Instant publishedAt) {
    return port.filedUnder(names, stream, sequence, publishedAt).thenCompose(this::unlessStopped);
  }

  @Override
  public CompletableFuture<Optional<DeadLetterId>> buryGone(
      DeadLetterId id, Corpse corpse, String subject, Optional<Instant> notBefore) {
    return port.buryGone(id, corpse, subject, notBefore).thenCompose(this::unlessStopped);
  }

  @Override
  public CompletableFuture<Optional<ConsumerFacts>> consumer(String stream, String consumer) {
    return stopAfter(GuardFault.AFTER_LOOK, port.consumer(stream, consumer));
  }

  @Override
  public CompletableFuture<Copiers> copiers(String stream) {
    return port.copiers(stream).thenCompose(this::unlessStopped);
  }

  @Override
  public CompletableFuture<Boolean> delete(String stream, long sequence) {
    return stopAfter(GuardFault.AFTER_RELEASE, port.delete(stream, sequence));
  }

  @Override
  public CompletableFuture<Void> ack(
      GuardedMessage message, ConsumerFacts consumer, long deliveries, Instant publishedAt) {
    return stopAfter(
        GuardFault.AFTER_RELEASE, port.ack(message, consumer, deliveries, publishedAt));
  }
}
