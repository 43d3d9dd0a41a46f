package dev.contrail.jetstream;

import dev.contrail.Durations;
import dev.contrail.engine.InFlight;
import dev.contrail.engine.StoreKind;
import dev.contrail.engine.WorkerEvent;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ConsumerNotice.Kind;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells what happens to a consumer, in the log and to whoever listens. Never a payload, nor what an
 * exception of the handler says, which may quote one: its class, and the dead letter has the rest.
 */
final class Notices implements Consumer<WorkerEvent<Delivered>> {
  private static final Logger log = LoggerFactory.getLogger(ContrailConsumer.class);

  private final ConsumerIdentity identity;
  private final NoticeLog lines;
  private final Consumer<ConsumerNotice> listener;
  private final RefusedAlone alone = new RefusedAlone();
  private volatile Consumer<WorkerEvent<Delivered>> onlooker = event -> {};

  Notices(ConsumerIdentity identity, Consumer<ConsumerNotice> listener) {
    this.identity = identity;
    this.lines = new NoticeLog(identity);
    this.listener = listener;
  }

  /** Is told of every event, on the worker's thread, before anybody else. */
  void alsoTell(Consumer<WorkerEvent<Delivered>> also) {
    onlooker = also;
  }

  @Override
  public void accept(WorkerEvent<Delivered> event) {
    onlooker.accept(event);
    if (!alone.isEmpty()) {
      alone.takeEnded().forEach(this::heldNoMore);
    }
    if (event instanceof WorkerEvent.Retrying<Delivered> retrying) {
      retrying(retrying);
    } else if (event instanceof WorkerEvent.Dead<Delivered> dead) {
      dead(dead.message());
    } else if (event instanceof WorkerEvent.AlreadyDead<Delivered> dead) {
      tell(
          Level.INFO,
          Kind.ALREADY_DEAD,
          dead.message(),
          "has its dead letter: terminated",
          Map.of("id", idOf(dead.message())));
    } else if (event instanceof WorkerEvent.Refused<Delivered> refused) {
      refused(refused);
    } else if (event instanceof WorkerEvent.LeaseLost<Delivered> lost) {
      tell(Level.WARN, Kind.LEASE_LOST, lost.message(), "lost its lease: let go in silence");
    } else if (event instanceof WorkerEvent.Stumbled<Delivered> stumbled) {
      log.error("{}: a step failed", identity, Silenced.of(stumbled.cause()));
      tell(
          Level.ERROR,
          Kind.STUMBLED,
          stumbled.message(),
          "is let go, since a step failed: " + className(stumbled.cause()));
    } else if (event instanceof WorkerEvent.TimedOut<Delivered> late) {
      tell(Level.WARN, Kind.TIMED_OUT, late.message(), "timed out: handler interrupted");
    } else if (event instanceof WorkerEvent.DoneLate<Delivered> late) {
      tell(
          Level.WARN,
          Kind.DONE_LATE,
          late.message(),
          "was done after its handler had timed out; that is recorded, and it is not run again");
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
              + className(opened.lastCause())
              + "): messages are held and tried one by one",
          Map.of("exception", className(opened.lastCause())));
    } else if (event instanceof WorkerEvent.BreakerClosed<Delivered>) {
      tell(Level.INFO, Kind.BREAKER_CLOSED, "a message succeeded: work goes on");
    } else if (event instanceof WorkerEvent.WindowLetGo<Delivered> letGo) {
      tell(
          Level.WARN,
          Kind.WINDOW_LET_GO,
          "all " + letGo.messages() + " messages held were tried and failed: returned",
          Map.of("messages", letGo.messages()));
    } else if (event instanceof WorkerEvent.StoreDown<Delivered> down) {
      tell(
          Level.ERROR,
          Kind.STORE_DOWN,
          named(down.store()) + " cannot be used: " + down.cause().getMessage() + "; messages held",
          Map.of("store", word(down.store())));
    } else if (event instanceof WorkerEvent.StoreBack<Delivered> back) {
      tell(
          Level.INFO,
          Kind.STORE_BACK,
          named(back.store()) + " can be used again",
          Map.of("store", word(back.store())));
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
    String delay = Durations.format(retrying.delay());
    tell(
        retrying.shortened() ? Level.WARN : Level.DEBUG,
        Kind.RETRYING,
        retrying.message(),
        "failed, again in "
            + delay
            + (retrying.shortened() ? " (a longer delay was asked for than is allowed)" : "")
            + ": "
            + className(retrying.cause()),
        Map.of("delay", delay, "exception", className(retrying.cause())));
  }

  private void dead(InFlight<Delivered> message) {
    DeadLetterId id = idOf(message);
    String reason = message.reason().text();
    String exception = className(message.cause());
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", id);
    fields.put("reason", reason);
    fields.put("exception", exception);
    tell(
        Level.WARN,
        Kind.DEAD,
        message,
        "is dead (" + reason + ", " + exception + "), dead letter " + id,
        fields);
  }

  private void heldNoMore(InFlight<Delivered> message) {
    tell(
        Level.INFO,
        Kind.REFUSED_NO_MORE,
        message,
        "is not held because of its dead letter any more",
        Map.of("id", idOf(message), "store", word(StoreKind.DEAD_LETTERS)));
  }

  private void refused(WorkerEvent.Refused<Delivered> refused) {
    alone.add(refused.message(), Instant.EPOCH);
    Throwable cause = refused.cause();
    tell(
        Level.ERROR,
        Kind.REFUSED,
        refused.message(),
        "is held, and tried again by itself, because of its dead letter: " + reason(cause),
        Map.of("id", idOf(refused.message()), "store", word(StoreKind.DEAD_LETTERS)));
  }

  /** What the server or Contrail says is meant to be read; what anything else says may quote. */
  private static String reason(Throwable cause) {
    boolean ours = className(cause).startsWith("dev.contrail.");
    return ours && cause.getMessage() != null ? cause.getMessage() : className(cause);
  }

  private DeadLetterId idOf(InFlight<Delivered> message) {
    return message.message().deadLetter().orElseGet(() -> identity.id(message.sequence()));
  }

  private static String className(Throwable cause) {
    return cause.getClass().getName();
  }

  static String named(StoreKind store) {
    return switch (store) {
      case DEAD_LETTERS -> "the dead-letter stream";
      case NOTES -> "the bucket of run notes";
      case LEDGER -> "the ledger";
      case EVENTS -> "what is kept of replays";
    };
  }

  private static String word(StoreKind store) {
    return store.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void tell(Level level, Kind kind, InFlight<Delivered> message, String what) {
    tell(level, kind, message, what, Map.of());
  }

  private void tell(
      Level level, Kind kind, InFlight<Delivered> message, String what, Map<String, ?> more) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("sequence", message.sequence());
    fields.put("delivery", message.deliveries());
    fields.putAll(more);
    tell(
        level,
        kind,
        "message " + message.sequence() + ", delivery " + message.deliveries() + ", " + what,
        fields);
  }

  private void tell(Level level, Kind kind, String text) {
    tell(level, kind, text, Map.of());
  }

  private void tell(Level level, Kind kind, String text, Map<String, ?> fields) {
    lines.write(level, kind, text, fields);
    try {
      listener.accept(new ConsumerNotice(kind, text));
    } catch (RuntimeException | Error e) {
      // What listens is not ours, and the worker must not stumble over it.
      log.error("{}: the listener threw at a notice of {}", identity, kind, e);
    }
  }

  /** A failure for the log, without what it says. */
  private static final class Silenced extends Exception {
    private static final long serialVersionUID = 1L;

    private Silenced(String message) {
      super(message, null, false, true);
    }

    private static Silenced of(Throwable cause) {
      Silenced silenced = new Silenced(className(cause));
      silenced.setStackTrace(cause.getStackTrace());
      return silenced;
    }
  }
}
