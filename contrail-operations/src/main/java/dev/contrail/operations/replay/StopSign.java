package dev.contrail.operations.replay;

import dev.contrail.plan.PlanState;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Has a run end between two messages. The first who asks says why. Thread-safe. */
public final class StopSign {
  /** Why a run ends before all is done. */
  record Reason(PlanState.Kind kind, String why) {}

  private final AtomicReference<Reason> reason = new AtomicReference<>();
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Somebody wants it so; the plan can be resumed. */
  public void cancel(String why) {
    stop(PlanState.Kind.CANCELLED, why);
  }

  void stop(PlanState.Kind kind, String why) {
    if (reason.compareAndSet(null, new Reason(kind, why))) {
      stopped.countDown();
    }
  }

  Optional<Reason> reason() {
    return Optional.ofNullable(reason.get());
  }

  boolean isSet() {
    return stopped.getCount() == 0;
  }

  /** Waits so long, or until it is set; returns whether it is. */
  boolean await(long nanos) throws InterruptedException {
    return stopped.await(Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }
}
