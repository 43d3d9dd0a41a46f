package dev.contrail.simulation;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Runs schedules: each is decided by its seed alone, and is the same whenever it is run. */
public final class Simulation {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_CALM = 400 * SECOND;
  private static final long MOST_STEPS = 2_000_000;

  private final World world;
  private final long seed;
  private final boolean traced;
  private boolean rested;

  private Simulation(long seed, Function<World, Mutation> mutant, boolean traced) {
    this.seed = seed;
    this.traced = traced;
    SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 1);
    this.world = new World(Scenario.of(random), mutant, random);
  }

  /** Runs the schedule of that seed. Its events are told where a promise was broken. */
  public static SimulationResult run(long seed) {
    return new Simulation(seed, world -> Mutation.NONE, false).run();
  }

  /** The same with a wrong version of something put in. */
  public static SimulationResult run(long seed, Mutant mutant) {
    return new Simulation(seed, mutant::in, false).run();
  }

  /** The same with all events told in any case. */
  public static SimulationResult replay(long seed, Optional<Mutant> mutant) {
    return new Simulation(seed, world -> mutant.map(it -> it.in(world)).orElse(Mutation.NONE), true)
        .run();
  }

  private SimulationResult run() {
    world.begin();
    long end = world.time().now() + world.scenario().chaos().toNanos();
    world.time().at(end + SECOND, () -> look(end + LONGEST_CALM));
    long steps = 0;
    while (!rested && world.referee().foul().isEmpty() && world.time().step()) {
      steps++;
      if (steps > MOST_STEPS) {
        world.referee().foul(Invariant.COMES_TO_REST, "there is no end of events");
      }
    }
    if (rested) {
      world.checkAll();
    }
    Optional<Referee.Foul> foul = world.referee().foul();
    return new SimulationResult(
        seed,
        foul.map(Referee.Foul::invariant),
        foul.map(Referee.Foul::what).orElse(""),
        world.scenario().toString(),
        foul.isPresent() || traced ? world.trace().lines() : List.of(),
        world.trace().hash());
  }

  /** Looks every now and then whether all is settled. */
  private void look(long deadline) {
    List<String> left = world.unsettled();
    if (left.isEmpty() && world.isAtRest()) {
      rested = true;
    } else if (world.time().now() > deadline) {
      world.reportUnrest(left);
    } else {
      if (world.workers().stream().anyMatch(WorkerProcess::isHeldByBreaker)) {
        world.publishGood();
      }
      world.time().in(SECOND, () -> look(deadline));
    }
  }
}
