package dev.contrail.operations.guard;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.burial.Burial.Result;
import dev.contrail.operations.stranded.Advisory;
import dev.contrail.operations.stranded.GuardedMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Does what an advisory calls for: evidence, one more look at the consumer, release. Killed after
 * any step, the message is still in its stream or is whole in its dead letter; the advisory is not
 * acknowledged before all is done, and whoever repeats a step finds it done.
 */
final class Handling {
  /** A message is let go of only when its consumer was looked at so short a time before. */
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private static final int TRIES = 5;

  private final GuardPort port;
  private final Scope scope;
  private final Tally tally;
  private final BooleanSupplier leads;
  private final LongSupplier nanoTime;

  Handling(GuardPort port, Scope scope, Tally tally, BooleanSupplier leads, LongSupplier nanoTime) {
    this.port = port;
    this.scope = scope;
    this.tally = tally;
    this.leads = leads;
    this.nanoTime = nanoTime;
  }

  /** What is to become of the advisory. */
  enum Outcome {
    /** All is done. */
    DONE,
    /** The message is to be released, and may not yet. */
    WAITS,
    /** This guard leads no more: the next one goes on. */
    NOT_MINE
  }

  CompletableFuture<Outcome> handle(Advisory advisory) {
    String stream = advisory.message().stream();
    if (!scope.watches(stream)) {
      return done();
    }
    return port.stream(stream)
        .thenCompose(
            found ->
                // Its messages went with the stream that it tells of.
                found.isEmpty() || !advisory.isOfStreamMade(found.get().created())
                    ? done()
                    : unlessCompleted(advisory));
  }

  private CompletableFuture<Outcome> unlessCompleted(Advisory advisory) {
    return port.isCompleted(advisory.message())
        .thenCompose(
            completed ->
                completed
                    ? leave(advisory, "a worker of Contrail has completed it")
                    : port.bury(advisory.corpse()).thenCompose(it -> buried(advisory, it)));
  }

  private CompletableFuture<Outcome> buried(Advisory advisory, Result result) {
    if (result instanceof Result.Buried buried) {
      if (buried.now()) {
        tellBuried(advisory, buried.id(), true);
      }
      return release(advisory, buried.id(), buried.message(), TRIES);
    }
    if (result instanceof Result.Gone gone) {
      return advisory.reason() == Reason.TERMINATED
          ? buryGone(advisory, gone.id())
          : tellGone(advisory, gone.id());
    }
    if (result instanceof Result.Purged && advisory.reason() == Reason.EXHAUSTED) {
      return leave(advisory, "somebody has purged its dead letter");
    }
    return result instanceof Result.Another
        ? leave(advisory, "another message has its sequence by now")
        : done();
  }

  private void tellBuried(Advisory advisory, DeadLetterId id, boolean copied) {
    GuardedMessage message = advisory.message();
    tally.tell(
        scope.acts()
            ? new GuardEvent.Buried(message, id, advisory.reason(), copied)
            : new GuardEvent.WouldBury(message, advisory.reason()));
  }

  private CompletableFuture<Outcome> buryGone(Advisory advisory, DeadLetterId id) {
    GuardedMessage message = advisory.message();
    return port.consumer(message.stream(), message.consumer())
        .thenCompose(
            consumer ->
                port.buryGone(id, advisory.corpse(), consumer.map(Handling::subject).orElse("")))
        .thenApply(
            now -> {
              if (now) {
                tellBuried(advisory, id, false);
              }
              return Outcome.DONE;
            });
  }

  /** The only subject that a consumer takes; empty where it takes several. */
  private static String subject(ConsumerFacts consumer) {
    List<String> filters = consumer.view().filters();
    boolean one =
        filters.size() == 1 && !filters.get(0).contains("*") && !filters.get(0).contains(">");
    return one ? filters.get(0) : "";
  }

  /** Acknowledged after all, or taken away by a guard before; or lost, and that must be seen. */
  private CompletableFuture<Outcome> tellGone(Advisory advisory, DeadLetterId id) {
    return port.isBuried(id)
        .thenCompose(
            there ->
                there
                    ? done()
                    : leave(
                        advisory,
                        "it is gone, and was not copied: acknowledged late, deleted or expired"));
  }

  private CompletableFuture<Outcome> release(
      Advisory advisory, DeadLetterId id, OriginalMessage message, int tries) {
    GuardedMessage which = advisory.message();
    if (!leads.getAsBoolean()) {
      return CompletableFuture.completedFuture(Outcome.NOT_MINE);
    }
    long asked = nanoTime.getAsLong();
    return port.stream(which.stream())
        .thenCombine(port.consumer(which.stream(), which.consumer()), Looks::new)
        .thenCompose(
            seen -> {
              if (seen.stream().filter(it -> isOf(id, it)).isEmpty()) {
                return done();
              }
              Verdict verdict =
                  Verdict.of(advisory, seen.stream().get(), seen.consumer(), message.subject());
              if (!(verdict instanceof Verdict.Release release)) {
                return stays(advisory, verdict);
              }
              boolean allowed = scope.mayRelease(which.stream());
              if (!allowed || !scope.acts()) {
                tally.tell(new GuardEvent.WouldRelease(which, release.how(), allowed));
                return done();
              }
              if (leads.getAsBoolean() && nanoTime.getAsLong() - asked < FRESH_NANOS) {
                return act(advisory, release.how(), seen.consumer().orElseThrow(), message);
              }
              // Stopped in between, much may have changed.
              return tries > 1
                  ? release(advisory, id, message, tries - 1)
                  : CompletableFuture.failedFuture(
                      new ContrailException(
                          "the server took more than a second to answer about its consumer"));
            });
  }

  private record Looks(Optional<StreamFacts> stream, Optional<ConsumerFacts> consumer) {}

  private static boolean isOf(DeadLetterId id, StreamFacts stream) {
    String incarnation = stream.incarnation();
    return id.incarnation().equals(incarnation) || id.incarnation().startsWith(incarnation + "-");
  }

  private CompletableFuture<Outcome> stays(Advisory advisory, Verdict verdict) {
    if (verdict instanceof Verdict.Leave leave) {
      return leave(advisory, leave.why());
    }
    if (verdict instanceof Verdict.Wait wait) {
      if (!scope.mayRelease(advisory.message().stream())) {
        return leave(advisory, wait.why());
      }
      tally.waits(advisory.message(), wait.why());
      return CompletableFuture.completedFuture(Outcome.WAITS);
    }
    return done();
  }

  private CompletableFuture<Outcome> act(
      Advisory advisory, HowReleased how, ConsumerFacts consumer, OriginalMessage message) {
    GuardedMessage which = advisory.message();
    CompletableFuture<Boolean> act =
        how == HowReleased.DELETED
            ? port.delete(which.stream(), which.sequence())
            : port.ack(which, consumer, advisory.deliveries(), message.publishedAt())
                .thenApply(done -> true);
    return act.thenApply(
        released -> {
          if (released) {
            tally.tell(new GuardEvent.Released(which, how));
          }
          return Outcome.DONE;
        });
  }

  private CompletableFuture<Outcome> leave(Advisory advisory, String why) {
    tally.tell(new GuardEvent.LeftAlone(advisory.message(), why));
    return done();
  }

  private static CompletableFuture<Outcome> done() {
    return CompletableFuture.completedFuture(Outcome.DONE);
  }
}
