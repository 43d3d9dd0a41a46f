package dev.contrail.engine;

import dev.contrail.Durations;

/** What a worker tells, as tests read it. */
final class Wording {
  private Wording() {}

  static String of(WorkerEvent<String> event) {
    if (event instanceof WorkerEvent.Retrying<String> retrying) {
      String delay = Durations.format(retrying.delay());
      String shortened = retrying.shortened() ? ", shortened" : "";
      return "retrying " + retrying.message().message() + " in " + delay + shortened;
    }
    if (event instanceof WorkerEvent.Dead<String> dead) {
      return "dead " + dead.message().message();
    }
    if (event instanceof WorkerEvent.AlreadyDead<String> dead) {
      return "already dead " + dead.message().message();
    }
    if (event instanceof WorkerEvent.LeaseLost<String> lost) {
      return "lease lost " + lost.message().message();
    }
    if (event instanceof WorkerEvent.TimedOut<String> timedOut) {
      return "timed out " + timedOut.message().message();
    }
    if (event instanceof WorkerEvent.DoneLate<String> late) {
      return "done late " + late.message().message();
    }
    if (event instanceof WorkerEvent.Refused<String> refused) {
      return "refused " + refused.message().message() + ": " + refused.cause().getMessage();
    }
    return ofWorker(event);
  }

  private static String ofWorker(WorkerEvent<String> event) {
    if (event instanceof WorkerEvent.BreakerOpened<String> opened) {
      return "breaker opened: " + opened.lastCause().getMessage();
    }
    if (event instanceof WorkerEvent.BreakerClosed<String>) {
      return "breaker closed";
    }
    if (event instanceof WorkerEvent.WindowLetGo<String> letGo) {
      return "window let go: " + letGo.messages();
    }
    if (event instanceof WorkerEvent.StoreDown<String> down) {
      return down.store() + " down: " + down.cause().getMessage();
    }
    if (event instanceof WorkerEvent.StoreBack<String> back) {
      return back.store() + " back";
    }
    if (event instanceof WorkerEvent.StoodStill<String> stoodStill) {
      return "stood still for " + Durations.format(stoodStill.gap());
    }
    return event.getClass().getSimpleName();
  }
}
