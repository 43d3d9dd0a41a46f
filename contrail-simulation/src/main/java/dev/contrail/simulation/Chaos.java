package dev.contrail.simulation;

import dev.contrail.simulation.model.ConsumerSettings;
import dev.contrail.simulation.net.Mishap;
import dev.contrail.simulation.net.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Has things go wrong for a while, one after another, and then puts an end to all of it. */
final class Chaos {
  private static final long MILLI = 1_000_000;
  private static final int ONE_IN = 25;

  private final World world;
  private final SplittableRandom random;
  private final List<Fault> events = new ArrayList<>();
  private final Map<Fault, Mishap> outages = new EnumMap<>(Fault.class);
  private Duration longestAckWait;
  private boolean handlerOutage;
  private boolean over;

  Chaos(World world, SplittableRandom random) {
    this.world = world;
    this.random = random;
    this.longestAckWait = world.scenario().ackWait();
    for (Fault fault : world.scenario().faults()) {
      if (fault != Fault.LOSSES && fault != Fault.DELAYS) {
        events.add(fault);
      }
    }
  }

  boolean isOver() {
    return over;
  }

  boolean isHandlerOutage() {
    return handlerOutage;
  }

  Duration longestAckWait() {
    return longestAckWait;
  }

  void begin() {
    world.time().in(world.scenario().chaos().toNanos(), this::end);
    if (!events.isEmpty()) {
      again();
    }
  }

  private void again() {
    world
        .time()
        .in(
            random.nextLong(2_500 * MILLI),
            () -> {
              if (!over) {
                strike(events.get(random.nextInt(events.size())));
                again();
              }
            });
  }

  private void strike(Fault fault) {
    switch (fault) {
      case KILLS -> anyone(worker -> worker.dieAfter(1 + random.nextInt(40)));
      case FREEZES -> anyone(this::freeze);
      case DISCONNECTS -> anyone(this::disconnect);
      case STALLS -> anyone(this::stall);
      case LEDGER_OUTAGES, DEAD_LETTER_OUTAGES, NOTE_OUTAGES, EVENT_OUTAGES -> outage(fault);
      case OPERATOR_KILLS -> killOperator();
      case SERVER_RESTARTS -> restart();
      case CLOCK_JUMPS -> anyone(this::setClock);
      case CONSUMER_CHANGES -> changeConsumer();
      case DRAINS -> anyone(WorkerProcess::drain);
      case HANDLER_OUTAGES -> handlerOutage();
      case LOSSES, DELAYS -> throw new IllegalStateException(fault + " is no event");
    }
  }

  private void anyone(java.util.function.Consumer<WorkerProcess> what) {
    List<WorkerProcess> workers = world.workers();
    if (!workers.isEmpty()) {
      what.accept(workers.get(random.nextInt(workers.size())));
    }
  }

  private void killOperator() {
    List<OperatorProcess> operators = world.operators();
    if (!operators.isEmpty()) {
      operators.get(random.nextInt(operators.size())).dieAfter(1 + random.nextInt(12));
    }
  }

  private void setClock(WorkerProcess worker) {
    long millis = random.nextInt(16_000) - 8_000L;
    world.trace().tell(worker.name(), "has its clock set by " + millis + " ms");
    worker.setClock(millis * MILLI);
  }

  private void freeze(WorkerProcess worker) {
    if (worker.isFrozen()) {
      return;
    }
    long nanos = random.nextLong(2 * world.scenario().ackWait().toNanos());
    world.trace().tell(worker.name(), "is frozen for " + nanos / MILLI + " ms");
    worker.freeze();
    world
        .time()
        .in(
            nanos,
            () -> {
              if (worker.isAlive() && worker.isFrozen()) {
                world.trace().tell(worker.name(), "goes on");
                worker.thaw();
              }
            });
  }

  private void disconnect(WorkerProcess worker) {
    long noticed = random.nextLong(1_000 * MILLI);
    long back = random.nextLong(5_000 * MILLI);
    world
        .trace()
        .tell(
            worker.name(),
            "is cut off, notices after "
                + noticed / MILLI
                + " ms and is back "
                + back / MILLI
                + " ms later");
    worker.connection().lose(noticed, back);
  }

  private void stall(WorkerProcess worker) {
    long nanos = random.nextLong(6_000 * MILLI);
    world.trace().tell(worker.name(), "hears nothing for " + nanos / MILLI + " ms");
    worker.connection().stall(nanos);
  }

  private void outage(Fault store) {
    if (outages.containsKey(store)) {
      return;
    }
    Mishap[] ways = {Mishap.LOST, Mishap.UNANSWERED, Mishap.REFUSED};
    Mishap way = ways[random.nextInt(ways.length)];
    world.trace().tell("chaos", store + " begin: " + way);
    outages.put(store, way);
    world
        .time()
        .in(
            random.nextLong(8_000 * MILLI),
            () -> {
              if (outages.remove(store) != null) {
                world.trace().tell("chaos", store + " end");
              }
            });
  }

  private void restart() {
    if (!world.server().isUp()) {
      return;
    }
    boolean killed = random.nextBoolean();
    world.trace().tell("server", killed ? "is killed" : "is stopped");
    world.server().stop(killed);
    world
        .time()
        .in(
            random.nextLong(3_000 * MILLI),
            () -> {
              if (!world.server().isUp()) {
                world.trace().tell("server", "is back");
                world.server().start();
              }
            });
  }

  private void changeConsumer() {
    if (!world.server().isUp()) {
      return;
    }
    switch (random.nextInt(3)) {
      case 0 -> {
        world.trace().tell("chaos", "deletes the consumer");
        var unused = world.server().model().deleteConsumer(World.STREAM, World.CONSUMER);
      }
      case 1 -> {
        Duration wait = Duration.ofMillis(1_000 + random.nextInt(8_000));
        if (wait.compareTo(longestAckWait) > 0) {
          longestAckWait = wait;
        }
        configure(wait, -1);
      }
      default -> configure(world.scenario().ackWait(), 50);
    }
    world.server().changed();
  }

  private void configure(Duration ackWait, int maxDeliver) {
    if (world.hasConsumer()) {
      world
          .trace()
          .tell("chaos", "sets AckWait " + ackWait.toMillis() + " ms, MaxDeliver " + maxDeliver);
      var unused =
          world
              .server()
              .model()
              .createConsumer(
                  World.STREAM,
                  ConsumerSettings.of(World.CONSUMER)
                      .withAckWait(ackWait)
                      .withMaxDeliver(maxDeliver)
                      .withMaxAckPending(20_000));
    }
  }

  private void handlerOutage() {
    world.trace().tell("chaos", "handlers fail");
    handlerOutage = true;
    world
        .time()
        .in(
            random.nextLong(15_000 * MILLI),
            () -> {
              world.trace().tell("chaos", "handlers work");
              handlerOutage = false;
            });
  }

  private void end() {
    world.trace().tell("chaos", "is over");
    over = true;
    outages.clear();
    handlerOutage = false;
    if (!world.server().isUp()) {
      world.server().start();
    }
    configure(world.scenario().ackWait(), -1);
    world.server().changed();
    for (WorkerProcess worker : List.copyOf(world.workers())) {
      if (worker.isFrozen()) {
        worker.thaw();
      }
    }
  }

  // Single messages.

  Mishap mishap(Outgoing message) {
    if (over) {
      return Mishap.NONE;
    }
    Mishap outage = outageOf(message.subject());
    if (outage != Mishap.NONE) {
      boolean asked = message.replyTo().startsWith("_REQ.");
      return outage == Mishap.REFUSED && !asked ? Mishap.LOST : outage;
    }
    if (world.scenario().has(Fault.LOSSES) && random.nextInt(ONE_IN) == 0) {
      return random.nextBoolean() ? Mishap.LOST : Mishap.UNANSWERED;
    }
    return world.scenario().has(Fault.DELAYS) && random.nextInt(ONE_IN) == 0
        ? Mishap.LATE
        : Mishap.NONE;
  }

  private Mishap outageOf(String subject) {
    if (outages.isEmpty()) {
      return Mishap.NONE;
    }
    Fault fault = null;
    if (subject.startsWith("contrail.ledger.") || subject.contains("CONTRAIL_LEDGER")) {
      fault = Fault.LEDGER_OUTAGES;
    } else if (subject.startsWith("contrail.dlq.")
        || subject.startsWith("contrail.part.")
        || subject.contains("CONTRAIL_DLQ")) {
      fault = Fault.DEAD_LETTER_OUTAGES;
    } else if (subject.startsWith("contrail.event.") || subject.contains("CONTRAIL_EVENTS")) {
      fault = Fault.EVENT_OUTAGES;
    } else if (subject.contains("CONTRAIL_RETRIES")) {
      fault = Fault.NOTE_OUTAGES;
    }
    return fault == null ? Mishap.NONE : outages.getOrDefault(fault, Mishap.NONE);
  }
}
