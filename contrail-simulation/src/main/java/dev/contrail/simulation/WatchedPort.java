package dev.contrail.simulation;

import dev.contrail.RetryAfterException;
import dev.contrail.engine.InFlight;
import dev.contrail.engine.Port;
import dev.contrail.engine.RunNote;
import dev.contrail.engine.WorkerEvent;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Classification;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Looks on at the commands of one worker. */
final class WatchedPort<M> extends PassingPort<M> {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final WorkerProcess process;
  private final World world;
  private final IdentityHashMap<InFlight<M>, Long> asked = new IdentityHashMap<>();
  private final Map<Long, Duration> returned = new HashMap<>();
  private final Set<InFlight<M>> waiting = Collections.newSetFromMap(new IdentityHashMap<>());

  WatchedPort(Port<M> port, WorkerProcess process, World world) {
    super(port);
    this.process = process;
    this.world = world;
  }

  private void tell(String what, InFlight<M> message) {
    world.trace().tell(process.name(), what + " " + message.sequence());
  }

  @Override
  public void lookUpCompletions(List<InFlight<M>> messages) {
    for (InFlight<M> message : messages) {
      asked.put(message, world.ledger().moment());
    }
    super.lookUpCompletions(messages);
  }

  @Override
  public void run(InFlight<M> message) {
    Long question = asked.get(message);
    world
        .referee()
        .require(
            question != null,
            Invariant.NO_RUN_AFTER_RECORD,
            process.name() + " runs " + message.sequence() + " and never asked the ledger");
    if (question != null && message.isReplayed()) {
      world.replays().runs(message.sequence(), question, process.name());
    }
    if (question != null && !message.isReplayed()) {
      world
          .referee()
          .require(
              !world.ledger().isConfirmedBefore(message.sequence(), question),
              Invariant.NO_RUN_AFTER_RECORD,
              process.name()
                  + " runs "
                  + message.sequence()
                  + ", whose completion was recorded before it asked");
    }
    super.run(message);
  }

  @Override
  public void recordCompletions(List<InFlight<M>> messages) {
    for (InFlight<M> message : messages) {
      tell("records", message);
      waiting.add(message);
    }
    super.recordCompletions(messages);
  }

  @Override
  public void writeNote(InFlight<M> message, RunNote note) {
    tell("notes " + note.kind() + " of", message);
    world.noted(message.sequence());
    super.writeNote(message, note);
  }

  @Override
  public void bury(InFlight<M> message) {
    tell("buries (" + message.reason() + ")", message);
    waiting.add(message);
    requireWindow(message);
    world.blame(message.sequence(), message.cause(), process);
    super.bury(message);
  }

  private void requireWindow(InFlight<M> message) {
    boolean declared = Classification.of(message.cause()) instanceof Classification.Transient;
    long ageMillis = process.furthestWallNanos() / NANOS_PER_MILLI - message.publishedMillis();
    long window = world.scenario().policy().retry().retryWindow().toMillis();
    world
        .referee()
        .require(
            !declared || message.reason() != Reason.DELIVERY_LIMIT || ageMillis >= window,
            Invariant.RETRY_WINDOW,
            process.name()
                + " buries "
                + message.sequence()
                + " for a transient failure, "
                + ageMillis
                + " ms after it was published, and the window is "
                + window
                + " ms");
  }

  @Override
  public void ack(InFlight<M> message) {
    tell("acks", message);
    waiting.remove(message);
    super.ack(message);
  }

  @Override
  public void term(InFlight<M> message) {
    tell("terms", message);
    waiting.remove(message);
    super.term(message);
  }

  @Override
  public void nak(InFlight<M> message, Duration delay) {
    tell("naks (" + delay.toMillis() + " ms)", message);
    world
        .referee()
        .require(
            !waiting.contains(message) || process.isDraining(),
            Invariant.HELD_IN_AN_OUTAGE,
            process.name()
                + " returns "
                + message.sequence()
                + " while its completion or its dead letter is being stored");
    returned.put(message.sequence(), delay);
    super.nak(message, delay);
  }

  private void requireIntent(WorkerEvent.Retrying<M> retrying) {
    if (retrying.cause() instanceof RetryAfterException intent) {
      world
          .referee()
          .require(
              intent
                  .retryAfter()
                  .equals(Optional.ofNullable(returned.get(retrying.message().sequence()))),
              Invariant.INTENT_SURVIVES,
              process.name()
                  + " returns "
                  + retrying.message().sequence()
                  + " for "
                  + returned.get(retrying.message().sequence())
                  + ", and its handler asked for "
                  + intent.retryAfter());
    }
  }

  @Override
  public void report(WorkerEvent<M> event) {
    if (event instanceof WorkerEvent.LeaseLost<M> lost) {
      tell("loses the lease of", lost.message());
      waiting.remove(lost.message());
    } else if (event instanceof WorkerEvent.Stumbled<M> stumbled) {
      world
          .referee()
          .foul(
              Invariant.NO_STEP_FAILS,
              process.name() + ", on " + stumbled.message().sequence() + ": " + stumbled.cause());
    } else if (event instanceof WorkerEvent.Retrying<M> retrying) {
      requireIntent(retrying);
    } else if (event instanceof WorkerEvent.StoreDown<M> down) {
      world.trace().tell(process.name(), "store down: " + down.store());
    } else if (event instanceof WorkerEvent.StoreBack<M> back) {
      world.trace().tell(process.name(), "store back: " + back.store());
    } else if (event instanceof WorkerEvent.BreakerOpened<M>) {
      world.trace().tell(process.name(), "breaker opens");
    } else if (event instanceof WorkerEvent.BreakerClosed<M>) {
      world.trace().tell(process.name(), "breaker closes");
    } else if (event instanceof WorkerEvent.TimedOut<M> late) {
      tell("interrupts", late.message());
    } else if (event instanceof WorkerEvent.StoodStill<M>) {
      world.trace().tell(process.name(), "stood still");
    }
    super.report(event);
  }
}
