package dev.contrail.operations.guard;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.burial.Burial.Result;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.burial.Original;
import dev.contrail.operations.stranded.Advisory;
import dev.contrail.operations.stranded.GuardedMessage;
import io.nats.client.api.RetentionPolicy;
import java.time.Instant;
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
  private final GuardPort port;
  private final Scope scope;
  private final Tally tally;
  private final BooleanSupplier leads;
  private final Freshness freshness;
  private final LongSupplier nanoTime;

  Handling(
      GuardPort port,
      Scope scope,
      Tally tally,
      BooleanSupplier leads,
      Freshness freshness,
      LongSupplier nanoTime) {
    this.port = port;
    this.scope = scope;
    this.tally = tally;
    this.leads = leads;
    this.freshness = freshness;
    this.nanoTime = nanoTime;
  }

  /** What is to become of the advisory. */
  enum Outcome {
    /** All is done. */
    DONE,
    /** It is to be looked at once more, in a moment. */
    AGAIN,
    /** The message is to be released, and may not yet. */
    WAITS,
    /** This guard leads no more: the next one goes on. */
    NOT_MINE
  }

  /**
   * Does it.
   *
   * @param first whether nobody was given the advisory before
   */
  CompletableFuture<Outcome> handle(Advisory advisory, boolean first) {
    String stream = advisory.message().stream();
    if (!scope.watches(stream)) {
      return done();
    }
    return port.stream(stream)
        .thenCompose(
            found -> {
              if (found.isEmpty()) {
                return done();
              }
              if (advisory.isOfOtherDomain(found.get().domain())) {
                tally.tell(new GuardEvent.OtherDomain(stream, advisory.domain()));
                return done();
              }
              if (!advisory.isOfStreamMade(found.get().created())) {
                // Its messages went with the stream that it tells of.
                return leave(advisory, "its stream was made again since");
              }
              return unlessCompleted(advisory, found.get(), first);
            });
  }

  private CompletableFuture<Outcome> unlessCompleted(
      Advisory advisory, StreamFacts stream, boolean first) {
    return port.isCompleted(advisory.message())
        .thenCompose(
            completed ->
                completed
                    ? leave(advisory, "a worker of Contrail has completed it")
                    : corpse(advisory, stream)
                        .thenCompose(port::bury)
                        .thenCompose(it -> buried(advisory, stream, it, first)));
  }

  /** Where a sweep could not tell whose it was, it has filed it under nobody: that is it. */
  private CompletableFuture<Corpse> corpse(Advisory advisory, StreamFacts stream) {
    GuardedMessage message = advisory.message();
    if (stream.retention() != RetentionPolicy.Interest) {
      return CompletableFuture.completedFuture(advisory.corpse());
    }
    DeadLetterId nobodys =
        new DeadLetterId(
            message.stream(), DeadLetterId.ORPHAN, stream.incarnation(), message.sequence());
    return port.isBuried(nobodys)
        .thenApply(there -> there ? advisory.corpse(DeadLetterId.ORPHAN) : advisory.corpse());
  }

  private CompletableFuture<Outcome> buried(
      Advisory advisory, StreamFacts stream, Result result, boolean first) {
    if (result instanceof Result.Buried buried) {
      if (buried.now()) {
        tellBuried(advisory, buried.id(), true);
      }
      return release(advisory, buried.id(), buried.message(), FreshLook.TRIES);
    }
    if (result instanceof Result.Gone gone) {
      return gone(advisory, stream, gone.id(), first);
    }
    if (result instanceof Result.Purged && advisory.reason() == Reason.EXHAUSTED) {
      return leave(advisory, "somebody has purged its dead letter");
    }
    return result instanceof Result.Another
        ? leave(advisory, "another message has its sequence by now")
        : done();
  }

  private CompletableFuture<Outcome> gone(
      Advisory advisory, StreamFacts stream, DeadLetterId id, boolean first) {
    boolean limits = stream.retention() == RetentionPolicy.Limits;
    if (limits && first) {
      // A leader that was frozen finds nothing for a moment, and here no sweep comes after.
      return CompletableFuture.completedFuture(Outcome.AGAIN);
    }
    if (advisory.reason() == Reason.EXHAUSTED) {
      return tellGone(advisory, id, "acknowledged late, deleted or expired");
    }
    // Nobody terminates a message away there: so servers tell of one that is gone unacknowledged.
    return limits || advisory.tellsOfLoss()
        ? tellGone(advisory, id, "it expired or was deleted")
        : buryGone(advisory, stream, id);
  }

  private void tellBuried(Advisory advisory, DeadLetterId id, boolean copied) {
    GuardedMessage message = advisory.message();
    tally.tell(
        scope.acts()
            ? new GuardEvent.Buried(message, id, advisory.reason(), copied)
            : new GuardEvent.WouldBury(message, advisory.reason()));
  }

  /** Consumers terminate a message twice too: only what is younger for certain is another. */
  private CompletableFuture<Outcome> buryGone(
      Advisory advisory, StreamFacts stream, DeadLetterId id) {
    GuardedMessage message = advisory.message();
    Optional<Instant> notBefore =
        stream.earliest(message.sequence()).map(it -> it.minus(Advisory.CLOCKS_DIFFER));
    return port.consumer(message.stream(), message.consumer())
        .thenCompose(
            consumer ->
                port.buryGone(
                    id, advisory.corpse(), consumer.map(Handling::subject).orElse(""), notBefore))
        .thenApply(
            written -> {
              written.ifPresent(it -> tellBuried(advisory, it, false));
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
  private CompletableFuture<Outcome> tellGone(Advisory advisory, DeadLetterId id, String how) {
    return port.isBuried(id)
        .thenCompose(
            there -> there ? done() : leave(advisory, "it is gone, and was not copied: " + how));
  }

  private CompletableFuture<Outcome> release(
      Advisory advisory, DeadLetterId id, Original message, int tries) {
    GuardedMessage which = advisory.message();
    if (!leads.getAsBoolean()) {
      return CompletableFuture.completedFuture(Outcome.NOT_MINE);
    }
    long asked = nanoTime.getAsLong();
    return looks(which)
        .thenCompose(
            seen -> {
              if (seen.stream().filter(it -> isOf(id, it)).isEmpty()) {
                return done();
              }
              Verdict verdict =
                  Verdict.of(
                      advisory,
                      seen.stream().get(),
                      seen.consumer(),
                      seen.copiers(),
                      message.subject(),
                      freshness.from());
              if (!(verdict instanceof Verdict.Release release)) {
                return stays(advisory, verdict);
              }
              boolean allowed = scope.mayRelease(which.stream());
              if (!allowed || !scope.acts()) {
                tally.tell(new GuardEvent.WouldRelease(which, release.how(), allowed));
                return done();
              }
              if (leads.getAsBoolean() && nanoTime.getAsLong() - asked < FreshLook.NANOS) {
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

  private record Looks(
      Optional<StreamFacts> stream, Optional<ConsumerFacts> consumer, Copiers copiers) {}

  /** Who copies from it matters only where a message is to be deleted for all. */
  private CompletableFuture<Looks> looks(GuardedMessage which) {
    return port.stream(which.stream())
        .thenCombine(
            port.consumer(which.stream(), which.consumer()),
            (stream, consumer) -> new Looks(stream, consumer, Copiers.NONE))
        .thenCompose(
            seen ->
                seen.stream().filter(StreamFacts::isWorkQueue).isPresent()
                    ? port.copiers(which.stream())
                        .thenApply(it -> new Looks(seen.stream(), seen.consumer(), it))
                    : CompletableFuture.completedFuture(seen));
  }

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
      Advisory advisory, HowReleased how, ConsumerFacts consumer, Original message) {
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
