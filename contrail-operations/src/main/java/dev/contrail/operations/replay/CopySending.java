package dev.contrail.operations.replay;

import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Step;
import dev.contrail.jetstream.CopyPublisher.Fate;
import dev.contrail.jetstream.CopyPublisher.Held;
import dev.contrail.plan.Outlook;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Publishes a copy until its fate is known, where that can double nothing: within the duplicate
 * window of its stream, or at any time for consumers of Contrail, which run one copy of a replay.
 */
final class CopySending {
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** The destination was there a moment ago: it may be that a leader is being chosen. */
  private static final int MOST_REFUSALS = 10;

  /** How long to wait before a copy is tried again. */
  static final Executor IN_A_WHILE = CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS);

  private final ReplayPort port;
  private final Look look;
  private final BooleanSupplier takenOver;
  private final Executor later;

  /**
   * Of one run of a plan.
   *
   * @param takenOver whether another process runs the plan by now
   * @param later runs what is to be tried again
   */
  CopySending(ReplayPort port, Look look, BooleanSupplier takenOver, Executor later) {
    this.port = port;
    this.look = look;
    this.takenOver = takenOver;
    this.later = later;
  }

  /** Tells what a stream holds where it says that it stored a copy. */
  interface Look {
    CompletableFuture<Held> heldAt(String stream, long sequence, ReplayCopy copy);
  }

  /**
   * A copy to be published.
   *
   * @param perhapsSent whether one may have been published before
   * @param since when anybody may have published one
   * @param refusals how often it was refused for the moment
   */
  @SuppressWarnings("ArrayRecordComponent") // made to be published, not to be compared
  record Copy(
      ReplayCopy id,
      Step.Replay replay,
      Destination destination,
      byte[] block,
      byte[] payload,
      boolean perhapsSent,
      Moment since,
      int refusals) {
    Copy afterUnknown() {
      return new Copy(id, replay, destination, block, payload, true, since, refusals);
    }

    Copy afterRefusal() {
      return new Copy(id, replay, destination, block, payload, perhapsSent, since, refusals + 1);
    }
  }

  /** What is known in the end. */
  CompletableFuture<Fate> send(Copy copy) {
    // Asked before the first time too: this process may have been stopped since it decided, and
    // somebody else may have adopted the replay, published it and seen the window end.
    if (takenOver.getAsBoolean()) {
      return done(new Fate.Unknown("another process runs the plan now"));
    }
    if (isTooLate(copy)) {
      return done(
          new Fate.Unknown(
              "it was decided on so long ago that another copy may have been published, and its"
                  + " consumer would process a second one too"));
    }
    return port.publish(copy.replay().subject(), copy.block(), copy.payload())
        .thenCompose(fate -> judge(copy, fate));
  }

  private CompletableFuture<Fate> judge(Copy copy, Fate fate) {
    if (fate instanceof Fate.Stored stored && stored.duplicate()) {
      return duplicate(copy, stored);
    }
    if (fate instanceof Fate.Refused refused) {
      return refused.forNow() && copy.refusals() < MOST_REFUSALS
          ? later(copy.afterRefusal())
          : done(refused(copy, refused.reason()));
    }
    if (fate instanceof Fate.Unknown && mayTryAgain(copy)) {
      return later(copy.afterUnknown());
    }
    return done(fate);
  }

  private CompletableFuture<Fate> later(Copy copy) {
    return CompletableFuture.supplyAsync(() -> copy, later).thenCompose(this::send);
  }

  private static boolean mayTryAgain(Copy copy) {
    return copy.since().elapsed().compareTo(LONGEST) < 0 && !isTooLate(copy);
  }

  /** Whether the stream may have forgotten a copy that its consumer would not know again. */
  private static boolean isTooLate(Copy copy) {
    Duration window = copy.destination().duplicateWindow();
    return copy.destination().outlook() != Outlook.TOLD
        && copy.since().elapsed().compareTo(window.minus(window.dividedBy(4))) >= 0;
  }

  /** The stream has had a message of that id: is it this one? */
  private CompletableFuture<Fate> duplicate(Copy copy, Fate.Stored stored) {
    return look.heldAt(stored.stream(), stored.sequence(), copy.id())
        // One that is gone was published under this id by somebody who adopted the replay while
        // this process was stopped, and was processed since.
        .thenApply(held -> held == Held.ANOTHER_MESSAGE ? other(copy, stored) : stored)
        .exceptionally(failure -> new Fate.Unknown(String.valueOf(failure.getMessage())));
  }

  private static Fate other(Copy copy, Fate.Stored stored) {
    String reason =
        "stream "
            + stored.stream()
            + " takes it for message "
            + stored.sequence()
            + ", which has the id "
            + copy.id().messageId()
            + " too";
    return refused(copy, reason);
  }

  /**
   * Says nothing of one that was sent before. Workers of Contrail can be kept from running that.
   */
  private static Fate refused(Copy copy, String reason) {
    return copy.perhapsSent() && copy.destination().outlook() != Outlook.TOLD
        ? new Fate.Unknown(reason)
        : new Fate.Refused(reason);
  }

  private static CompletableFuture<Fate> done(Fate fate) {
    return CompletableFuture.completedFuture(fate);
  }
}
