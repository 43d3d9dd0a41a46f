package dev.contrail.jetstream;

import dev.contrail.engine.Worker;

/**
 * Whether a worker is paused, which its application and operators each may want: it goes on when
 * neither does. Used on the worker's thread alone.
 */
final class PauseSwitch {
  private boolean byApplication;
  private boolean byOperator;

  Signal byApplication(boolean pause) {
    return (worker, now) -> {
      byApplication = pause;
      apply(worker);
    };
  }

  Signal byOperator(boolean pause) {
    return (worker, now) -> {
      byOperator = pause;
      apply(worker);
    };
  }

  private void apply(Worker<Delivered> worker) {
    if (byApplication || byOperator) {
      worker.pause();
    } else {
      worker.resume();
    }
  }
}
