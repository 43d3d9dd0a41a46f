package dev.contrail.engine;

import java.time.Duration;

/**
 * The orderly end: what is held is finished, what is not finished in time is returned, and what
 * cannot be settled is let go.
 */
final class Drain<M> {
  private final Port<M> port;
  private final Deliveries<M> deliveries;
  private final Stores<M> stores;
  private final Completions<M> completions;
  private final Verdicts<M> verdicts;
  private final Starts<M> starts;
  private final Runs<M> runs;

  private boolean begun;
  private boolean gaveUp;
  private Duration timeout = Duration.ZERO;
  private long endsNanos;

  Drain(
      Port<M> port,
      Deliveries<M> deliveries,
      Stores<M> stores,
      Completions<M> completions,
      Verdicts<M> verdicts,
      Starts<M> starts,
      Runs<M> runs) {
    this.port = port;
    this.deliveries = deliveries;
    this.stores = stores;
    this.completions = completions;
    this.verdicts = verdicts;
    this.starts = starts;
    this.runs = runs;
  }

  void begin(Duration within, Now now) {
    if (!begun) {
      begun = true;
      timeout = within;
      endsNanos = now.nanos() + within.toNanos();
    }
  }

  boolean hasBegun() {
    return begun;
  }

  /** Whether there is nothing left to wait for. */
  boolean isDone() {
    return begun && deliveries.size() == 0 && !awaitsTakeBack() && !awaitsLateRecord();
  }

  /** Once the time is over, only for as long as the store may still answer. */
  private boolean awaitsTakeBack() {
    return stores.isTakingBack() && (!gaveUp || stores.canNote());
  }

  private boolean awaitsLateRecord() {
    return runs.recordsLate() && !(gaveUp && completions.isDown());
  }

  void tick(Now now) {
    if (!begun) {
      return;
    }
    if (!gaveUp && now.nanos() - endsNanos >= 0) {
      gaveUp = true;
      giveUp(now);
    } else if (!gaveUp && (starts.breakerOpen() || starts.isPaused())) {
      starts.returnWaiting(now);
    }
    if (gaveUp && completions.isDown()) {
      letGoCompleted();
    }
  }

  /** The time to finish is over: what waits goes back, what runs is interrupted and then does. */
  private void giveUp(Now now) {
    starts.end(now);
    for (InFlight<M> message : deliveries.copy()) {
      stores.takeBackStart(message);
      if (message.isRun()) {
        port.interrupt(message, timeout);
      } else if (message.is(DeliveryState.NOTING) && !message.held) {
        // It has its outcome; returning a success would repeat it.
        verdicts.carryOut(message, now);
      } else if (!message.isCompleted()) {
        deliveries.giveBack(message, now);
      }
    }
  }

  /** Neither acked nor returned: what was sent to the ledger may have been stored. */
  private void letGoCompleted() {
    for (InFlight<M> message : deliveries.copy()) {
      if (message.isCompleted()) {
        deliveries.letGo(message);
      }
    }
  }
}
