package dev.contrail.jetstream;

import dev.contrail.engine.StoreKind;
import dev.contrail.engine.WorkerCounts;
import dev.contrail.engine.WorkerEvent;
import dev.contrail.engine.WorkerStatus;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what a consumer's parts tell of, but for what the worker counts itself, and passes on what
 * is measured message by message. None of it costs anything while nobody measures, and a message
 * that is delivered once and done costs one look at the clock when somebody does.
 */
final class Tally implements ConsumerFigures {
  private static final Logger log = LoggerFactory.getLogger(ContrailConsumer.class);
  private static final WorkerStatus NOT_STARTED =
      new WorkerStatus(new WorkerCounts(0, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0, false, false);

  private final ConsumerIdentity identity;
  private final Map<ConsumerNotice.Kind, LongAdder> notices = new ConcurrentHashMap<>();
  private final LongAdder shortened = new LongAdder();
  private final LongAdder commitsFailed = new LongAdder();
  private final LongAdder stored = new LongAdder();
  private final LongAdder notStored = new LongAdder();
  private final Set<StoreKind> down = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean threw = new AtomicBoolean();
  private volatile Optional<AckPending> ackPending = Optional.empty();
  private volatile Supplier<Optional<Duration>> headroom = Optional::empty;
  private volatile Supplier<WorkerStatus> status = () -> NOT_STARTED;
  private volatile ConsumerMeters.Meter meter = ConsumerMeters.Meter.NONE;

  Tally(ConsumerIdentity identity) {
    this.identity = identity;
  }

  /** From now on it is measured; before anything is started. */
  void measure(ConsumerMeters meters, Supplier<WorkerStatus> worker) {
    status = worker;
    safely(() -> meter = meters.open(this));
  }

  void end() {
    safely(meter::close);
    meter = ConsumerMeters.Meter.NONE;
  }

  boolean isMeasured() {
    return meter != ConsumerMeters.Meter.NONE;
  }

  void ledger(ConsumerLedger ledger) {
    headroom = ledger::headroom;
  }

  // What happens.

  void handled(boolean done, long nanos) {
    try {
      meter.handled(done, nanos);
    } catch (RuntimeException e) {
      tellOnce(e);
    }
  }

  void committed(int completions, long nanos) {
    safely(() -> meter.committed(completions, nanos));
  }

  void commitFailed() {
    commitsFailed.increment();
  }

  void buried(boolean confirmed) {
    (confirmed ? stored : notStored).increment();
  }

  void ackPending(long messages, long most) {
    ackPending = Optional.of(new AckPending(messages, most));
    safely(() -> meter.looked());
  }

  void told(WorkerEvent<Delivered> event) {
    if (event instanceof WorkerEvent.Retrying<Delivered> retrying && retrying.shortened()) {
      shortened.increment();
    } else if (event instanceof WorkerEvent.StoreDown<Delivered> store) {
      down.add(store.store());
    } else if (event instanceof WorkerEvent.StoreBack<Delivered> store) {
      down.remove(store.store());
    }
  }

  /** The same listener, whose notices are counted. */
  Consumer<ConsumerNotice> counting(Consumer<ConsumerNotice> listener) {
    return notice -> {
      notices.computeIfAbsent(notice.kind(), any -> new LongAdder()).increment();
      listener.accept(notice);
    };
  }

  /** The same way, on which redeliveries are seen. */
  Consumer<Signal> watching(Consumer<Signal> signals) {
    return signal -> {
      if (signal instanceof Delivered delivered && delivered.isRedelivery() && isMeasured()) {
        safely(() -> meter.redelivered(delivered.subject()));
      }
      signals.accept(signal);
    };
  }

  /** Whatever measures is not ours, and the work must not stumble over it. */
  private void safely(Runnable measuring) {
    try {
      measuring.run();
    } catch (RuntimeException e) {
      tellOnce(e);
    }
  }

  private void tellOnce(RuntimeException e) {
    if (threw.compareAndSet(false, true)) {
      log.error("{}: what measures it threw; that is told once", identity, e);
    }
  }

  // What is read.

  @Override
  public String stream() {
    return identity.stream();
  }

  @Override
  public String consumer() {
    return identity.consumer();
  }

  @Override
  public WorkerStatus status() {
    return status.get();
  }

  @Override
  public long told(ConsumerNotice.Kind kind) {
    LongAdder told = notices.get(kind);
    return told == null ? 0 : told.sum();
  }

  @Override
  public long delaysShortened() {
    return shortened.sum();
  }

  @Override
  public long commitsFailed() {
    return commitsFailed.sum();
  }

  @Override
  public long deadLettersStored() {
    return stored.sum();
  }

  @Override
  public long deadLettersFailed() {
    return notStored.sum();
  }

  @Override
  public boolean isDown(StoreKind store) {
    return down.contains(store);
  }

  @Override
  public Optional<AckPending> ackPending() {
    return ackPending;
  }

  @Override
  public Optional<Duration> ledgerHeadroom() {
    return headroom.get();
  }
}
