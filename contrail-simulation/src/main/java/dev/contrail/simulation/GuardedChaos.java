package dev.contrail.simulation;

import dev.contrail.simulation.model.StreamSettings.Retention;
import dev.contrail.simulation.net.Mishap;
import dev.contrail.simulation.net.Outgoing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Has things go wrong around guards for a while, and then puts an end to all of it. */
final class GuardedChaos {
  private static final long MILLI = 1_000_000;
  private static final int ONE_IN = 25;

  /** A look at a consumer is so old at most when a message is let go of because of it. */
  private static final long LATELY = 1_500 * MILLI;

  private final GuardedWorld world;
  private final SplittableRandom random;
  private final List<GuardedFault> events = new ArrayList<>();
  private Optional<Mishap> outage = Optional.empty();
  private long changed = Long.MIN_VALUE / 2;
  private int maxDeliver;
  private boolean over;

  GuardedChaos(GuardedWorld world, SplittableRandom random) {
    this.world = world;
    this.random = random;
    this.maxDeliver = world.scenario().maxDeliver();
    events.addAll(world.scenario().faults());
    events.remove(GuardedFault.LOSSES);
    events.remove(GuardedFault.DELAYS);
  }

  /** Whether somebody may have looked at the consumer before it was changed, and acts on it. */
  boolean changedLately() {
    return world.time().now() - changed < LATELY;
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

  private void strike(GuardedFault fault) {
    switch (fault) {
      case GUARD_KILLS -> any(world.guards(), guard -> guard.dieAfter(1 + random.nextInt(15)));
      case CLIENT_KILLS -> any(world.clients(), client -> client.dieAfter(1 + random.nextInt(10)));
      case FREEZES -> any(world.guards(), this::freeze);
      case DISCONNECTS -> any(world.guards(), this::disconnect);
      case SERVER_RESTARTS -> restart();
      case CONSUMER_CHANGES -> changeConsumer();
      case REPEATED_ADVISORIES -> world.repeatAdvisory(random.nextInt(1_000));
      case DEAD_LETTER_OUTAGES -> outage();
      case LOSSES, DELAYS -> throw new IllegalStateException(fault + " is no event");
    }
  }

  private <T> void any(List<T> some, Consumer<T> what) {
    if (!some.isEmpty()) {
      what.accept(some.get(random.nextInt(some.size())));
    }
  }

  private void freeze(GuardProcess guard) {
    if (guard.isFrozen()) {
      return;
    }
    long nanos = random.nextLong(8_000 * MILLI);
    world.trace().tell(guard.name(), "is frozen for " + nanos / MILLI + " ms");
    guard.freeze();
    world
        .time()
        .in(
            nanos,
            () -> {
              if (guard.isAlive() && guard.isFrozen()) {
                world.trace().tell(guard.name(), "goes on");
                guard.thaw();
              }
            });
  }

  private void disconnect(GuardProcess guard) {
    world.trace().tell(guard.name(), "is cut off");
    guard.connection().lose(random.nextLong(1_000 * MILLI), random.nextLong(5_000 * MILLI));
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
    changed = world.time().now();
    // Where nobody is interested any more, messages go by the server's own rule.
    boolean again = world.scenario().retention() != Retention.INTEREST && random.nextInt(3) == 0;
    if (again) {
      world.trace().tell("chaos", "makes the consumer again");
      var unused =
          world.server().model().deleteConsumer(GuardedWorld.STREAM, GuardedWorld.CONSUMER);
      world.makeConsumer(maxDeliver);
    } else {
      // Where it is lowered, servers say nothing of some that they give up: sweeps find those.
      maxDeliver += random.nextInt(2);
      world.trace().tell("chaos", "sets MaxDeliver " + maxDeliver);
      world.makeConsumer(maxDeliver);
    }
    world.server().changed();
  }

  private void outage() {
    if (outage.isPresent()) {
      return;
    }
    Mishap[] ways = {Mishap.LOST, Mishap.UNANSWERED, Mishap.REFUSED};
    outage = Optional.of(ways[random.nextInt(ways.length)]);
    world.trace().tell("chaos", "dead letters: " + outage.get());
    world
        .time()
        .in(
            random.nextLong(8_000 * MILLI),
            () -> {
              world.trace().tell("chaos", "dead letters are taken");
              outage = Optional.empty();
            });
  }

  private void end() {
    world.trace().tell("chaos", "is over");
    over = true;
    outage = Optional.empty();
    if (!world.server().isUp()) {
      world.server().start();
    }
    for (GuardProcess guard : List.copyOf(world.guards())) {
      if (guard.isFrozen()) {
        guard.thaw();
      }
    }
    world.server().changed();
  }

  Mishap mishap(Outgoing message) {
    if (over) {
      return Mishap.NONE;
    }
    boolean store =
        message.subject().startsWith("contrail.dlq.")
            || message.subject().startsWith("contrail.part.")
            || message.subject().contains("CONTRAIL_DLQ");
    if (store && outage.isPresent()) {
      return outage.get();
    }
    if (world.scenario().faults().contains(GuardedFault.LOSSES) && random.nextInt(ONE_IN) == 0) {
      return random.nextBoolean() ? Mishap.LOST : Mishap.UNANSWERED;
    }
    return world.scenario().faults().contains(GuardedFault.DELAYS) && random.nextInt(ONE_IN) == 0
        ? Mishap.LATE
        : Mishap.NONE;
  }
}
