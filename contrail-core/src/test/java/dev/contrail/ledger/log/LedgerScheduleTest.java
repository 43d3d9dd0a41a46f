package dev.contrail.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random schedules of everything that can happen to a few ledgers in one log, with
 * every answer held against the {@link Books}. At the end all is well and quiet for a while: then
 * every question must have its answer, the log must be short, and who reads it for the first time
 * must know exactly what is completed.
 */
class LedgerScheduleTest {
  private static final int SCHEDULES = Integer.getInteger("contrail.schedules", 1_000);
  private static final int STEPS = 1_500;

  /** Set to the seed that a failure names, to run that schedule alone. */
  private static final long ONLY = Long.getLong("contrail.seed", -1);

  interface Extra {
    void happens(LedgerWorld world, RandomGenerator random);
  }

  @Test
  void what_is_confirmed_is_known_to_everybody_from_then_on() {
    play((world, random) -> {});
  }

  @Test
  void what_is_forgotten_stays_forgotten() {
    play((world, random) -> world.forget());
  }

  @Test
  void a_sequence_that_is_used_again_stands_for_another_message() {
    play(
        (world, random) -> {
          if (random.nextInt(3) == 0) {
            world.reuse(Duration.ofMillis(500 + random.nextInt(5_000)));
          }
        });
  }

  @Test
  void a_log_that_is_deleted_and_made_again_keeps_what_it_is_told_from_then_on() {
    play(
        (world, random) -> {
          if (random.nextInt(3) == 0) {
            world.remakeLog();
          }
        });
  }

  private static void play(Extra extra) {
    for (long seed = 0; seed < SCHEDULES; seed++) {
      if (ONLY == -1 || ONLY == seed) {
        play(seed, extra);
      }
    }
  }

  static void play(long seed, Extra extra) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] clocks = {0, Long.MIN_VALUE, -1, Long.MAX_VALUE - Duration.ofSeconds(20).toNanos()};
    long firstSequence = 65_536L * (1 + random.nextInt(3)) - random.nextInt(400);
    LedgerWorld world =
        new LedgerWorld(1 + random.nextInt(3), firstSequence, clocks[random.nextInt(4)], random);
    int calm = 1 + random.nextInt(20);
    int pace = random.nextBoolean() ? 200 : 4_000;
    try {
      for (int step = 0; step < STEPS; step++) {
        step(world, calm, pace, extra, random);
      }
      heal(world);
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

  private static void step(
      LedgerWorld world, int calm, int pace, Extra extra, RandomGenerator random) {
    LedgerProcess process = world.any();
    switch (random.nextInt(24)) {
      case 0, 1, 2 -> world.publishMessage();
      case 3, 4, 5 -> {
        if (!process.frozen) {
          process.record(world.some());
        }
      }
      case 6, 7, 8 -> {
        if (!process.frozen) {
          process.lookUp(world.some());
        }
      }
      case 9, 10, 11, 12 -> world.transmit();
      case 13, 14, 15 -> world.answer();
      case 16, 17, 18 -> process.send(random.nextInt(5));
      case 19, 20, 21 -> {
        if (!process.frozen) {
          process.receive(random.nextInt(5));
        }
      }
      case 22 -> world.pass(Duration.ofMillis(random.nextInt(pace)));
      default -> {
        if (random.nextInt(calm) == 0) {
          rarely(world, process, extra, random);
        }
      }
    }
  }

  private static void rarely(
      LedgerWorld world, LedgerProcess process, Extra extra, RandomGenerator random) {
    switch (random.nextInt(13)) {
      case 0 -> process.frozen = true;
      case 1, 2 -> world.processes.forEach(one -> one.frozen = false);
      case 3 -> process.interrupt(random.nextBoolean());
      case 4, 5 -> {
        world.kill(process);
        world.start();
      }
      case 6 -> world.settle();
      case 7 -> world.pass(Duration.ofSeconds(random.nextInt(15)));
      case 8 -> world.pass(Duration.ofSeconds(30 + random.nextInt(30)));
      case 9 -> world.retire();
      case 10 -> lag(world, process, random);
      default -> extra.happens(world, random);
    }
  }

  /** All others go on for a while, and tidy up. */
  private static void lag(LedgerWorld world, LedgerProcess process, RandomGenerator random) {
    process.frozen = random.nextBoolean();
    for (int round = 2 + random.nextInt(3); round > 0; round--) {
      world.settle(process);
      world.pass(Duration.ofSeconds(random.nextInt(40)));
    }
    world.settle(process);
    process.frozen = false;
  }

  private static void heal(LedgerWorld world) {
    world.healed = true;
    world.processes.forEach(process -> process.frozen = false);
    for (LedgerProcess process : world.processes) {
      process.lookUp(world.some());
      process.record(world.some());
    }
    quiet(world, Duration.ofMinutes(3));
    for (LedgerProcess process : world.processes) {
      assertThat(process.lookUps).as("look-ups of %s without an answer", process).isEmpty();
      assertThat(process.told).as("recordings of %s without an answer", process).isEmpty();
    }
    Map<String, Long> left =
        world.log.records().stream()
            .filter(stored -> !stored.token().endsWith("forget"))
            .collect(Collectors.groupingBy(ModelLog.Stored::token, Collectors.counting()));
    // Twice as many as begin a snapshot: whoever was to make it may have been killed.
    assertThat(left.values()).as("records left: %s", left).allMatch(count -> count <= 200);
    LedgerProcess fresh = world.start();
    List<Message> all = new ArrayList<>(world.messages);
    all.removeIf(message -> message.sequence() < world.firstSequence());
    fresh.lookUp(all);
    quiet(world, Duration.ofSeconds(5));
    assertThat(fresh.answers).as("a fresh reader has its answer").isEqualTo(1);
  }

  private static void quiet(LedgerWorld world, Duration time) {
    for (long passed = 0; passed < time.toMillis(); passed += 250) {
      world.settle();
      world.pass(Duration.ofMillis(250));
    }
    world.settle();
  }
}
