package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Step;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanProgress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Entries of which it is known beforehand that no copy is to be published. An earlier run of the
 * plan may have thought otherwise, decided on a replay and been killed: it is given up first.
 */
final class UnsentReplay {
  private static final String PROCESSED = "its message was processed after all";

  private final RunContext run;
  private final Deciding deciding;
  private final Chains chains;
  private final FailedReplay failed;
  private final AdoptedReplay adopted;

  UnsentReplay(
      RunContext run,
      Deciding deciding,
      Chains chains,
      FailedReplay failed,
      AdoptedReplay adopted) {
    this.run = run;
    this.deciding = deciding;
    this.chains = chains;
    this.failed = failed;
    this.adopted = adopted;
  }

  /** It cannot be published. The reason becomes part of its history, and it stays open. */
  CompletableFuture<EntryResult> fail(EntryReplay.Work work, String reason) {
    return chains
        .origin(work.letter(), work.entry().lastStep())
        .thenCompose(origin -> deciding.decide(work, replay(work, origin)))
        .thenCompose(
            decision ->
                decision instanceof Decision.Taken taken
                    ? failed.tell(
                        new Attempt(
                            work.index(),
                            new ReplayCopy(work.entry().id(), taken.event().address().step()),
                            Outlook.TOLD),
                        reason)
                    : giveUp(work, ((Decision.Refused) decision).state(), reason));
  }

  private Step.Replay replay(EntryReplay.Work work, Origin origin) {
    // Killed before it is given up, it may be published after all, by who finds its stream.
    Optional<String> consumer =
        Destinations.failed(work.entry().id()).filter(any -> run.head().options().to().isEmpty());
    return new Step.Replay(
        run.head().plan(),
        run.head().options().to().orElse(work.letter().message().subject()),
        work.entry().id().stream(),
        consumer,
        work.entry().version(),
        origin.root(),
        origin.replays() + 1,
        // What a foreign consumer is given then, it may process, whoever reads it after that.
        Optional.of(consumer.isPresent() && work.ofContrail()));
  }

  /** Perhaps an earlier run of this plan decided; if not, it is none of its business. */
  private CompletableFuture<EntryResult> giveUp(
      EntryReplay.Work work, EntryState state, String reason) {
    return deciding
        .lastStep(work, state)
        .thenCompose(
            step ->
                step.filter(deciding::isOwn).isPresent()
                    ? adopted.giveUp(work, step.get(), reason)
                    : EntryReplay.leftOut(work, reason));
  }

  /** The message was processed after all. */
  CompletableFuture<EntryResult> complete(EntryReplay.Work work) {
    return deciding
        .decide(work, new Step.Completed())
        .thenCompose(
            decision ->
                decision instanceof Decision.Refused refused
                    ? giveUp(work, refused.state(), PROCESSED)
                        .thenCompose(result -> completeGivenUp(work, result))
                    : EntryReplay.leftOut(work, PROCESSED));
  }

  /** Where a copy was published after all, how that ends is how the entry ends. */
  private CompletableFuture<EntryResult> completeGivenUp(
      EntryReplay.Work work, EntryResult result) {
    boolean open =
        result instanceof EntryResult.Settled settled
            && settled.progress() instanceof PlanProgress.Failed;
    return open
        ? deciding
            .decide(work, new Step.Completed())
            .thenCompose(any -> EntryReplay.leftOut(work, PROCESSED))
        : CompletableFuture.completedFuture(result);
  }
}
