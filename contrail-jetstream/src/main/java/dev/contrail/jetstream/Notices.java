package dev.contrail.jetstream;

import dev.contrail.Durations;
import dev.contrail.engine.InFlight;
import dev.contrail.engine.StoreKind;
import dev.contrail.engine.WorkerEvent;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.ConsumerNotice.Kind;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Tells what happens to a consumer, in the log and to whoever listens. Never a payload. */
final class Notices implements Consumer<WorkerEvent<Delivered>> {
  private static final Logger log = LoggerFactory.getLogger(ContrailConsumer.class);

  private final ConsumerIdentity identity;
  private final Consumer<ConsumerNotice> listener;
  private volatile Consumer<WorkerEvent<Delivered>> onlooker = event -> {};

  Notices(ConsumerIdentity identity, Consumer<ConsumerNotice> listener) {
    this.identity = identity;
    this.listener = listener;
  }

  /** Is told of every event, on the worker's thread, before anybody else. */
  void alsoTell(Consumer<WorkerEvent<Delivered>> also) {
    onlooker = also;
  }

  @Override
  public void accept(WorkerEvent<Delivered> event) {
    onlooker.accept(event);
    if (event instanceof WorkerEvent.Retrying<Delivered> retrying) {
      retrying(retrying);
    } else if (event instanceof WorkerEvent.Dead<Delivered> dead) {
      tell(Level.WARN, Kind.DEAD, dead(dead.message()));
    } else if (event instanceof WorkerEvent.AlreadyDead<Delivered> dead) {
      tell(
          Level.INFO, Kind.ALREADY_DEAD, name(dead.message()) + " has its dead letter: terminated");
    } else if (event instanceof WorkerEvent.Refused<Delivered> refused) {
      tell(Level.ERROR, Kind.REFUSED, refused(refused));
    } else if (event instanceof WorkerEvent.LeaseLost<Delivered> lost) {
      tell(
          Level.WARN, Kind.LEASE_LOST, name(lost.message()) + " lost its lease: let go in silence");
    } else if (event instanceof WorkerEvent.Stumbled<Delivered> stumbled) {
      log.error("{}: a step failed", identity, stumbled.cause());
      tell(
          Level.ERROR,
          Kind.STUMBLED,
          name(stumbled.message()) + " is let go, since a step failed: " + stumbled.cause());
    } else if (event instanceof WorkerEvent.TimedOut<Delivered> late) {
      tell(Level.WARN, Kind.TIMED_OUT, name(late.message()) + " timed out: handler interrupted");
    } else if (event instanceof WorkerEvent.DoneLate<Delivered> late) {
      tell(
          Level.WARN,
          Kind.DONE_LATE,
          name(late.message())
              + " was done after its handler had timed out; that is recorded, and it is not run"
              + " again");
    } else {
      ofTheWorker(event);
    }
  }

  private void ofTheWorker(WorkerEvent<Delivered> event) {
    if (event instanceof WorkerEvent.BreakerOpened<Delivered> opened) {
      tell(
          Level.ERROR,
          Kind.BREAKER_OPENED,
          "nothing succeeds any more (last: "
              + Failure.headline(opened.lastCause())
              + "): messages are held and tried one by one");
    } else if (event instanceof WorkerEvent.BreakerClosed<Delivered>) {
      tell(Level.INFO, Kind.BREAKER_CLOSED, "a message succeeded: work goes on");
    } else if (event instanceof WorkerEvent.WindowLetGo<Delivered> letGo) {
      tell(
          Level.WARN,
          Kind.WINDOW_LET_GO,
          "all " + letGo.messages() + " messages held were tried and failed: returned");
    } else if (event instanceof WorkerEvent.StoreDown<Delivered> down) {
      tell(
          Level.ERROR,
          Kind.STORE_DOWN,
          named(down.store())
              + " cannot be used: "
              + down.cause().getMessage()
              + "; messages held");
    } else if (event instanceof WorkerEvent.StoreBack<Delivered> back) {
      tell(Level.INFO, Kind.STORE_BACK, named(back.store()) + " can be used again");
    } else if (event instanceof WorkerEvent.StoodStill<Delivered> still) {
      tell(
          Level.WARN,
          Kind.STOOD_STILL,
          "the process stood still for "
              + Durations.format(still.gap())
              + ": deliveries of unknown age are let go");
    } else if (event instanceof WorkerEvent.PullsStalled<Delivered>) {
      tell(Level.WARN, Kind.STALLED, "the server went silent: pulling anew");
    }
  }

  void paused(String why) {
    tell(Level.WARN, Kind.PAUSED, why + "; it keeps what it holds, and takes no message");
  }

  void resumed() {
    tell(Level.INFO, Kind.RESUMED, "not told to pause any more: work goes on");
  }

  void gone(String why) {
    tell(Level.ERROR, Kind.CONSUMER_GONE, why);
  }

  void ackPendingFull(String what) {
    tell(Level.ERROR, Kind.ACK_PENDING_FULL, what);
  }

  void ackPendingHigh(String what) {
    tell(Level.WARN, Kind.ACK_PENDING_HIGH, what);
  }

  void ackPendingFine(String what) {
    tell(Level.INFO, Kind.ACK_PENDING_FINE, what);
  }

  void sequencesReused(String what) {
    tell(Level.ERROR, Kind.SEQUENCES_REUSED, what);
  }

  void ledgerObjects(String why) {
    tell(Level.ERROR, Kind.LEDGER_OBJECTS, why + " Nothing is pulled until that is mended.");
  }

  void ledgerContent() {
    tell(Level.INFO, Kind.LEDGER_CONTENT, "the ledger has no objection any more: pulling");
  }

  void back(String why) {
    tell(Level.INFO, Kind.CONSUMER_BACK, why);
  }

  private void retrying(WorkerEvent.Retrying<Delivered> retrying) {
    String text =
        name(retrying.message())
            + " failed, again in "
            + Durations.format(retrying.delay())
            + (retrying.shortened() ? " (a longer delay was asked for than is allowed)" : "")
            + ": "
            + Failure.headline(retrying.cause());
    tell(retrying.shortened() ? Level.WARN : Level.DEBUG, Kind.RETRYING, text);
  }

  private String dead(InFlight<Delivered> message) {
    return name(message)
        + " is dead ("
        + message.reason().text()
        + ", "
        + message.cause().getClass().getName()
        + "), dead letter "
        + message.message().deadLetter().orElseGet(() -> identity.id(message.sequence()));
  }

  private String refused(WorkerEvent.Refused<Delivered> refused) {
    Throwable cause = refused.cause();
    log.debug("{}: {} is held", identity, refused.message(), cause);
    return name(refused.message())
        + " is held, and tried again by itself, because of its dead letter: "
        + Optional.ofNullable(cause.getMessage()).orElseGet(() -> cause.getClass().getName());
  }

  private static String name(InFlight<Delivered> message) {
    return "message " + message.sequence() + ", delivery " + message.deliveries() + ",";
  }

  static String named(StoreKind store) {
    return switch (store) {
      case DEAD_LETTERS -> "the dead-letter stream";
      case NOTES -> "the bucket of run notes";
      case LEDGER -> "the ledger";
      case EVENTS -> "what is kept of replays";
    };
  }

  private void tell(Level level, Kind kind, String text) {
    if (level != Level.DEBUG || log.isDebugEnabled()) {
      log.atLevel(level).log("{}: {}", identity, text);
    }
    try {
      listener.accept(new ConsumerNotice(kind, text));
    } catch (RuntimeException | Error e) {
      // What listens is not ours, and the worker must not stumble over it.
      log.error("{}: the listener threw at a notice of {}", identity, kind, e);
    }
  }
}
