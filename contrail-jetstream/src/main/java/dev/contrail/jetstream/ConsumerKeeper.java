package dev.contrail.jetstream;

import dev.contrail.engine.StoreKind;
import dev.contrail.engine.WorkerEvent;
import dev.contrail.jetstream.doctor.Rule;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Watches over the consumer on the server: looks at it when the server says that something is wrong
 * with it, after a reconnect, and once a minute, for anyone may change or delete it. While it is
 * gone or unsafe nothing is pulled.
 */
final class ConsumerKeeper {
  private static final Logger log = LoggerFactory.getLogger(ConsumerKeeper.class);
  static final Duration PATROL = Duration.ofMinutes(1);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration MEND_AGAIN = Duration.ofSeconds(5);

  private final ConsumerSetup setup;
  private final Notices notices;
  private final Consumer<Signal> signals;
  private final ConsumerSetup.Ready first;
  private final ConsumerIdentity identity;
  private final Runnable stores;
  private final AckWriter acks;
  private final Optional<ConsumerLedger> ledger;
  private final MessageTtl ttl;
  private final AckPendingWatch ackPending;
  private final Duration patrol;
  private final Surroundings.Timer thread;
  private final AtomicBoolean lookPending = new AtomicBoolean();
  private final AtomicBoolean mendPending = new AtomicBoolean();
  private volatile String lastTrouble = "";
  private final Set<StoreKind> storesDown = ConcurrentHashMap.newKeySet();
  private String incarnation;
  private String told = "";
  private boolean objected;

  ConsumerKeeper(
      ConsumerSetup setup,
      ConsumerSetup.Ready first,
      ConsumerIdentity identity,
      Runnable stores,
      AckWriter acks,
      Optional<ConsumerLedger> ledger,
      MessageTtl ttl,
      Notices notices,
      Tally tally,
      Consumer<Signal> signals,
      Duration patrol,
      Surroundings surroundings) {
    this.setup = setup;
    this.first = first;
    this.identity = identity;
    this.stores = stores;
    this.acks = acks;
    this.ledger = ledger;
    this.ttl = ttl;
    this.notices = notices;
    this.signals = signals;
    this.ackPending = new AckPendingWatch(notices, tally);
    this.patrol = patrol;
    this.incarnation = first.incarnation();
    this.thread = surroundings.timer("contrail-keeper-" + identity.consumer());
  }

  void start() {
    ready(first);
    thread.every(patrol, this::lookSoon);
  }

  void close() {
    ledger.ifPresent(ConsumerLedger::close);
    thread.close();
  }

  /** For whoever steers the worker. */
  void signal(Signal signal) {
    signals.accept(signal);
  }

  /** The server says that the consumer cannot be pulled from. */
  void trouble(String status) {
    signals.accept(
        (worker, now) -> {
          acks.hold();
          worker.consumerGone();
        });
    // The same again right after a look found nothing wrong: neither spin nor keep silent.
    boolean again = status.equals(lastTrouble);
    lastTrouble = status;
    log.atLevel(again ? Level.WARN : Level.INFO).log("{}: a pull ended: {}", identity, status);
    lookIn(again ? AGAIN : SOON);
  }

  /** All pulls are lost; who knows what there is when the connection is back. */
  void disconnected() {
    signals.accept(
        (worker, now) -> {
          acks.hold();
          worker.disconnected();
        });
  }

  /** A store that was deleted is made again, if it may be; one that is full or away is not. */
  void told(WorkerEvent<Delivered> event) {
    if (event instanceof WorkerEvent.StoreDown<Delivered> down) {
      storesDown.add(down.store());
      mendStoresIn(SOON);
    } else if (event instanceof WorkerEvent.StoreBack<Delivered> back) {
      storesDown.remove(back.store());
    } else if (event instanceof WorkerEvent.PullsStalled<Delivered>) {
      trouble("the server is silent");
    }
  }

  private void mendStoresIn(Duration delay) {
    if (mendPending.compareAndSet(false, true)) {
      thread.in(delay, this::mendStores);
    }
  }

  private void mendStores() {
    mendPending.set(false);
    if (storesDown.isEmpty()) {
      return;
    }
    try {
      stores.run();
    } catch (RuntimeException e) {
      log.warn("{}: {}", identity, e.getMessage());
    }
    mendStoresIn(MEND_AGAIN);
  }

  void lookSoon() {
    lookIn(SOON);
  }

  private void lookIn(Duration delay) {
    if (lookPending.compareAndSet(false, true)) {
      thread.in(delay, this::look);
    }
  }

  private void look() {
    lookPending.set(false);
    try {
      streamSeen(setup.incarnation());
      Optional<ConsumerSetup.Ready> seen = setup.look(ackPending::look);
      if (seen.isPresent()) {
        back(seen.get());
      } else if (first.ours()) {
        gone(
            "the consumer was deleted: making it again; all that its stream still holds comes"
                + " again");
        back(setup.prepare());
      } else {
        gone("the consumer was deleted, and Contrail did not make it: waiting for it to come back");
        lookIn(AGAIN);
      }
    } catch (RuntimeException e) {
      if (setup.isConnected()) {
        gone(String.valueOf(e.getMessage()));
      } else {
        log.debug("{}: the consumer cannot be looked at while the server is away", identity, e);
      }
      lookIn(AGAIN);
    }
  }

  private void ready(ConsumerSetup.Ready ready) {
    ttl.heeded(ready.messageTtl());
    signals.accept(
        (worker, now) -> {
          worker.mostPerPull(ready.pulls().batch(), ready.pulls().bytes());
          worker.consumerReady(ready.ackWait(), ready.maxAge());
        });
  }

  private void streamSeen(String seen) {
    if (seen.equals(incarnation)) {
      signals.accept((worker, now) -> acks.release());
      return;
    }
    incarnation = seen;
    notices.gone("the stream was deleted and made again: starting over with the new one");
    signals.accept(
        (worker, now) -> {
          // On the worker's thread: nothing old may be stored under the new incarnation.
          acks.drop();
          worker.streamReplaced();
          identity.moveTo(seen);
          ledger.ifPresent(ConsumerLedger::reopen);
        });
  }

  private void back(ConsumerSetup.Ready ready) {
    streamSeen(ready.incarnation());
    if (!told.isEmpty()) {
      told = "";
      notices.back("the consumer is there: pulling");
    }
    askLedger(ready);
    ready(ready);
  }

  private void askLedger(ConsumerSetup.Ready ready) {
    Optional<String> objection = ledger.flatMap(kept -> kept.objection(ready.ackWait()));
    signals.accept((worker, now) -> worker.ledgerObjects(objection.isPresent()));
    if (objection.isPresent() && !objected) {
      notices.ledgerObjects(objection.get() + " " + Rule.LEDGER_FORGETS.tag());
    } else if (objection.isEmpty() && objected) {
      notices.ledgerContent();
    }
    objected = objection.isPresent();
  }

  /** Told once for each reason, not each time it is seen again. */
  private void gone(String why) {
    signals.accept((worker, now) -> worker.consumerGone());
    if (!why.equals(told)) {
      told = why;
      notices.gone(why);
    }
  }
}
