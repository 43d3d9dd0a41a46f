package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.engine.StoreKind;
import dev.contrail.engine.WorkerEvent;
import dev.contrail.failure.FailureKind;
import dev.contrail.jetstream.report.WorkerReport.Hold;
import dev.contrail.jetstream.report.WorkerReport.OpenBreaker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong for a worker, for its report. Noted on the worker's thread, at the price of a
 * place in a queue for each failure; what the failures have in common is found out elsewhere.
 */
final class WorkerTroubles implements Consumer<WorkerEvent<Delivered>> {
  private static final int MOST_FAILURES = 1_024;

  /** A message that failed and comes again. */
  record Failed(long sequence, long deliveries, long dueNanos, Throwable cause) {}

  /** What the worker waits for. */
  record Standing(Optional<OpenBreaker> breaker, List<Hold> holds) {}

  private final ArrayBlockingQueue<Failed> failures = new ArrayBlockingQueue<>(MOST_FAILURES);
  private final AtomicLong unnoted = new AtomicLong();
  private final Map<StoreKind, Instant> away = new EnumMap<>(StoreKind.class);
  private final RefusedAlone alone = new RefusedAlone();
  private final Surroundings surroundings;
  private final Clock clock;
  private @Nullable OpenBreaker breaker;

  WorkerTroubles(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.clock = surroundings.clock();
  }

  @Override
  public void accept(WorkerEvent<Delivered> event) {
    if (event instanceof WorkerEvent.Retrying<Delivered> retrying) {
      failed(retrying.message(), retrying.delay(), retrying.cause());
    } else if (event instanceof WorkerEvent.BreakerOpened<Delivered> opened) {
      FailureKind kind = FailureKind.of(opened.lastCause());
      breaker = new OpenBreaker(clock.instant(), kind.fingerprint(), kind.what());
    } else if (event instanceof WorkerEvent.BreakerClosed<Delivered>) {
      breaker = null;
    } else if (event instanceof WorkerEvent.StoreDown<Delivered> down) {
      away.putIfAbsent(down.store(), clock.instant());
    } else if (event instanceof WorkerEvent.StoreBack<Delivered> back) {
      away.remove(back.store());
    } else if (event instanceof WorkerEvent.Refused<Delivered> refused) {
      alone.add(refused.message(), clock.instant());
    }
  }

  private void failed(InFlight<Delivered> message, Duration delay, Throwable cause) {
    long due = surroundings.nanoTime() + delay.toNanos();
    if (!failures.offer(new Failed(message.sequence(), message.deliveries(), due, cause))) {
      unnoted.incrementAndGet();
    }
  }

  /** On the worker's thread. */
  Standing standing() {
    List<Hold> holds = new ArrayList<>(away.size());
    away.forEach((store, since) -> holds.add(new Hold(Notices.named(store), since)));
    alone.takeEnded();
    alone.since().ifPresent(since -> holds.add(new Hold(alone.inWords(), since)));
    return new Standing(Optional.ofNullable(breaker), holds);
  }

  /** Takes those that failed since it was last asked; from any thread. */
  List<Failed> takeFailures() {
    List<Failed> taken = new ArrayList<>();
    failures.drainTo(taken);
    return taken;
  }

  /** How many failed and found no place, since it was last asked. */
  long takeUnnoted() {
    return unnoted.getAndSet(0);
  }
}
