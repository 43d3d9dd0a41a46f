package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.Backoff;
import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random schedules of everything that can happen to a worker, with the rules checked
 * at every step by {@link Referee} and {@link ModelStream}. At the end the world is healed, and
 * every message must come to its end, or the worker is drained, and must let go of all.
 */
class RandomScheduleTest {
  private static final int SCHEDULES = 3_000;
  private static final int STEPS = 400;
  private static final Duration HEALING = Duration.ofMinutes(30);

  /** Set to the seed that a failure names, to run that schedule alone. */
  private static final long ONLY = Long.getLong("contrail.seed", -1);

  @Test
  void no_schedule_breaks_a_rule_and_every_message_comes_to_its_end() {
    playAll(false);
  }

  @Test
  void with_a_ledger_no_run_starts_after_its_completion_was_recorded_either() {
    playAll(true);
  }

  private static void playAll(boolean ledger) {
    for (long seed = 0; seed < SCHEDULES; seed++) {
      if (ONLY == -1 || ONLY == seed) {
        play(seed, ledger);
      }
    }
  }

  private static void play(long seed, boolean ledger) {
    SplittableRandom random = new SplittableRandom(seed);
    ModelWorld world = world(ledger, random);
    try {
      for (int step = 0; step < STEPS; step++) {
        step(world, random);
      }
      if (random.nextBoolean()) {
        heal(world, random);
      } else {
        drain(world, random);
      }
    } catch (AssertionError | RuntimeException foul) {
      throw new AssertionError(
          foul.getMessage()
              + "\nThis was -Dcontrail.seed="
              + seed
              + ", and these were its last events:\n"
              + world.story(),
          foul);
    }
  }

  private static ModelWorld world(boolean ledger, RandomGenerator random) {
    Duration ackWait = random.nextBoolean() ? Duration.ofSeconds(3) : Duration.ofSeconds(30);
    long[] clocks = {0, Long.MIN_VALUE, -1, Long.MAX_VALUE - Duration.ofSeconds(20).toNanos()};
    return new ModelWorld(
        policy(random), ackWait, ledger, 1 + random.nextInt(12), clocks[random.nextInt(4)], random);
  }

  private static WorkerPolicy policy(RandomGenerator random) {
    RetryPolicy retry =
        RetryPolicy.DEFAULT
            .withDeliveryLimit(1 + random.nextInt(5))
            .withBackoff(new Backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(5)))
            .withRetryWindow(Duration.ofSeconds(random.nextInt(120)));
    BreakerPolicy breaker =
        new BreakerPolicy(
            Duration.ofMillis(1 + random.nextInt(20_000)),
            1 + random.nextInt(3),
            Duration.ofSeconds(1));
    return new WorkerPolicy(
        retry,
        breaker,
        1 + random.nextInt(8),
        random.nextBoolean() ? WorkerPolicy.NO_LIMIT : 1 + random.nextInt(600),
        1 + random.nextInt(4),
        Duration.ofSeconds(40));
  }

  private static void step(ModelWorld world, RandomGenerator random) {
    switch (random.nextInt(24)) {
      case 0, 1, 2, 3, 4 -> world.deliver();
      case 5, 6, 7 -> world.beginRun();
      case 8, 9, 10 -> world.endRun();
      case 11, 12, 13, 14 -> world.answerOne();
      case 15 -> world.answerAll();
      case 16 -> world.otherWorkerActs();
      case 17 -> rarely(world, random);
      default -> world.pass(upTo(world.ackWait.dividedBy(10), random));
    }
  }

  private static void rarely(ModelWorld world, RandomGenerator random) {
    switch (random.nextInt(19)) {
      case 0 -> world.disconnect();
      case 1, 2, 3 -> world.reconnect();
      case 4 -> world.readsFail = !world.readsFail;
      case 5 -> world.writesFail = !world.writesFail;
      case 6 -> world.outage = !world.outage;
      case 7 -> world.worker().pause();
      case 8, 9 -> world.worker().resume();
      case 10 -> world.standStill(upTo(world.ackWait.multipliedBy(3), random));
      case 11 -> idle(world);
      case 12 -> world.deliverElsewhere();
      case 13 -> world.endInterrupted();
      case 16 -> world.ledgerFails = !world.ledgerFails;
      case 17 -> world.otherWorkerRecords();
      case 18 -> world.forgetAck();
      case 14 -> {
        if (random.nextInt(4) == 0) {
          world.kill();
        }
      }
      default -> {
        if (random.nextInt(8) == 0) {
          world.replaceStream();
        }
      }
    }
  }

  /** Time passes, and nobody answers. */
  private static void idle(ModelWorld world) {
    for (int i = 0; i < 40; i++) {
      world.pass(world.ackWait.dividedBy(10));
    }
  }

  private static Duration upTo(Duration most, RandomGenerator random) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }

  private static void heal(ModelWorld world, RandomGenerator random) {
    repair(world);
    world.healed = true;
    world.killersKill = false;
    world.worker().resume();
    long end = world.now().epochMillis() + HEALING.toMillis();
    while (!isOver(world) && world.now().epochMillis() < end) {
      world.otherWorkerActs();
      live(world, random);
    }
    assertThat(world.streamIsEmpty()).as("every message came to its end").isTrue();
    assertThat(world.isAllRecorded()).as("all that was done is recorded").isTrue();
    world.pass(Duration.ofSeconds(1));
    assertThat(world.status().inFlight()).as("nothing is held any more").isZero();
    assertThat(world.status().inFlightBytes()).as("nor does it weigh anything").isZero();
  }

  /** A completion may still wait for its ledger when its message is gone. */
  private static boolean isOver(ModelWorld world) {
    return world.streamIsEmpty() && world.status().inFlight() == 0 && world.isAllRecorded();
  }

  private static void drain(ModelWorld world, RandomGenerator random) {
    if (random.nextBoolean()) {
      repair(world);
    }
    world.killersKill = false;
    Duration timeout = upTo(Duration.ofSeconds(30), random);
    world.worker().drain(timeout, world.now());
    long end = world.now().epochMillis() + timeout.toMillis() + 60_000;
    while (!world.worker().isDrained() && world.now().epochMillis() < end) {
      live(world, random);
      world.endInterrupted();
    }
    assertThat(world.worker().isDrained()).as("drained").isTrue();
    assertThat(world.status().inFlight()).isZero();
  }

  private static void repair(ModelWorld world) {
    world.reconnect();
    world.outage = false;
    world.readsFail = false;
    world.writesFail = false;
    world.ledgerFails = false;
  }

  private static void live(ModelWorld world, RandomGenerator random) {
    world.deliver();
    world.answerAll();
    world.beginRun();
    world.endRun();
    world.answerAll();
    world.pass(upTo(world.ackWait.dividedBy(10), random));
  }
}
