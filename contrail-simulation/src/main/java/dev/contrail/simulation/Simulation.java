package dev.contrail.simulation;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Runs schedules: each is decided by its seed alone, and is the same whenever it is run. */
public final class Simulation {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_CALM = 400 * SECOND;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long MOST_STEPS = 2_000_000;

  /** Every so manieth schedule has a second part, with guards. */
  private static final int GUARDED = 4;

  private final Play play;
  private boolean rested;

  private Simulation(Play play) {
    this.play = play;
  }

  /** Runs the schedule of that seed. Its events are told where a promise was broken. */
  public static SimulationResult run(long seed) {
    return run(seed, world -> Mutation.NONE, false);
  }

  /** The same with a wrong version of something put in. */
  public static SimulationResult run(long seed, Mutant mutant) {
    return run(seed, mutant::in, false);
  }

  /** The same with all events told in any case. */
  public static SimulationResult replay(long seed, Optional<Mutant> mutant) {
    return run(seed, world -> mutant.map(it -> it.in(world)).orElse(Mutation.NONE), true);
  }

  private static SimulationResult run(long seed, Function<World, Mutation> mutant, boolean traced) {
    SplittableRandom random = new SplittableRandom(seed * GOLDEN + 1);
    World world =
        new World(Scenario.of(random), mutant, random, new SplittableRandom(~seed * GOLDEN));
    SimulationResult workers = new Simulation(world).run(seed, traced);
    if (workers.broken().isPresent() || seed % GUARDED != 0) {
      return workers;
    }
    GuardedWorld guards =
        new GuardedWorld(world.mutation(), new SplittableRandom(~seed * GOLDEN + 1));
    return workers.then(new Simulation(guards).run(seed, traced));
  }

  private SimulationResult run(long seed, boolean traced) {
    play.begin();
    long end = play.time().now() + play.chaos().toNanos();
    play.time().at(end + SECOND, () -> look(end + LONGEST_CALM));
    long steps = 0;
    while (!rested && play.referee().foul().isEmpty() && play.time().step()) {
      steps++;
      if (steps > MOST_STEPS) {
        play.referee().foul(Invariant.COMES_TO_REST, "there is no end of events");
      }
    }
    if (rested) {
      play.checkAll();
    }
    Optional<Referee.Foul> foul = play.referee().foul();
    return new SimulationResult(
        seed,
        foul.map(Referee.Foul::invariant),
        foul.map(Referee.Foul::what).orElse(""),
        play.description(),
        foul.isPresent() || traced ? play.trace().lines() : List.of(),
        play.trace().hash());
  }

  /** Looks every now and then whether all is settled. */
  private void look(long deadline) {
    List<String> left = play.unsettled();
    if (left.isEmpty() && play.isAtRest()) {
      rested = true;
    } else if (play.time().now() > deadline) {
      play.reportUnrest(left);
    } else {
      play.waitOn();
      play.time().in(SECOND, () -> look(deadline));
    }
  }
}
