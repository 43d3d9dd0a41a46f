package dev.contrail.operations.guard;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.burial.Burial.Result;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.burial.Original;
import dev.contrail.operations.stranded.GuardedMessage;
import dev.contrail.operations.stranded.Stranding;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamInfo;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Writes the dead letters of stranded messages, one for each death. Blocks. */
final class SweepBurial {
  private final GuardPort port;
  private final Scope scope;
  private final Tally tally;
  private final Clock clock;

  SweepBurial(GuardPort port, Scope scope, Tally tally, Clock clock) {
    this.port = port;
    this.scope = scope;
    this.tally = tally;
    this.clock = clock;
  }

  /** A stranded message, without what it holds: many are worked on at once. */
  record Seen(long sequence, String subject, Instant publishedAt) {
    boolean isOf(Original message) {
      return message.equals(new Original(subject, publishedAt));
    }
  }

  /** The stranded messages of a subject, and what is needed to deal with them. */
  record Work(
      StreamInfo info, Stranding.Certain stranding, SweepFailures burials, SweepFailures releases) {
    String stream() {
      return info.getConfiguration().getName();
    }

    boolean isInterest() {
      return info.getConfiguration().getRetentionPolicy() == RetentionPolicy.Interest;
    }

    long firstFailed() {
      return Math.min(burials.first(), releases.first());
    }
  }

  /** Those of them that have a dead letter by now. */
  List<SweepRelease.Kept> bury(Work work, List<Seen> some) {
    List<CompletableFuture<Optional<SweepRelease.Kept>>> burials =
        some.stream().map(it -> bury(work, it)).toList();
    List<SweepRelease.Kept> kept = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      long sequence = some.get(i).sequence();
      String what = "Sweeping message " + sequence + " of " + work.stream();
      work.burials().join(sequence, what, burials.get(i)).flatMap(it -> it).ifPresent(kept::add);
    }
    return kept;
  }

  private CompletableFuture<Optional<SweepRelease.Kept>> bury(Work work, Seen seen) {
    return consumerOf(work, seen)
        .thenCompose(
            consumer -> {
              GuardedMessage message = new GuardedMessage(work.stream(), consumer, seen.sequence());
              return port.isCompleted(message)
                  .thenCompose(completed -> bury(work, seen, message, completed));
            });
  }

  private CompletableFuture<Optional<SweepRelease.Kept>> bury(
      Work work, Seen seen, GuardedMessage message, boolean completed) {
    if (completed) {
      tally.tell(new GuardEvent.LeftAlone(message, "a worker of Contrail has completed it"));
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return port.bury(corpse(message, work.stranding()))
        .thenApply(result -> kept(message, seen, result));
  }

  private Optional<SweepRelease.Kept> kept(GuardedMessage message, Seen seen, Result result) {
    if (result instanceof Result.Purged) {
      tally.tell(new GuardEvent.LeftAlone(message, "somebody has purged its dead letter"));
    }
    if (!(result instanceof Result.Buried buried) || !seen.isOf(buried.message())) {
      return Optional.empty();
    }
    if (buried.now()) {
      tally.tell(
          scope.acts()
              ? new GuardEvent.Buried(message, buried.id(), Reason.EXHAUSTED, true)
              : new GuardEvent.WouldBury(message, Reason.EXHAUSTED));
    }
    return Optional.of(new SweepRelease.Kept(message, seen.publishedAt()));
  }

  /**
   * Whose dead letter it is. On an interest stream one may be there that one of several consumers
   * has of it, or nobody by name: that is of its death, and there is to be no other.
   */
  private CompletableFuture<String> consumerOf(Work work, Seen seen) {
    String otherwise = work.stranding().givenUpBy().orElse(DeadLetterId.ORPHAN);
    return work.isInterest()
        ? port.filedUnder(
                work.stranding().mayBeFiledUnder(),
                work.stream(),
                seen.sequence(),
                seen.publishedAt())
            .thenApply(it -> it.orElse(otherwise))
        : CompletableFuture.completedFuture(otherwise);
  }

  private Corpse corpse(GuardedMessage message, Stranding.Certain stranding) {
    long deliveries =
        stranding.consumers().stream()
            .filter(it -> it.name().equals(message.consumer()))
            .flatMap(it -> it.deliveryLimit().stream())
            .findFirst()
            .orElse(0L);
    return new Corpse(
        message.stream(),
        message.consumer(),
        message.sequence(),
        Reason.EXHAUSTED,
        deliveries,
        Reason.EXHAUSTED.text(),
        stranding.why(),
        clock.instant(),
        Optional.empty());
  }
}
