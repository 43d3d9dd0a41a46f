package dev.contrail.simulation;

import dev.contrail.policy.Backoff;
import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import dev.contrail.simulation.model.ModelVersion;
import dev.contrail.simulation.model.StreamSettings.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What a schedule is about, as its seed says: not all faults at once, for many hide what few show.
 *
 * @param chaos how long faults last
 */
record Scenario(
    ModelVersion version,
    Retention retention,
    int workers,
    List<MessageKind> messages,
    WorkerPolicy policy,
    Duration ackWait,
    Set<Fault> faults,
    Duration chaos,
    int operators,
    Duration duplicateWindow) {
  private static final Retention[] RETENTIONS = {Retention.LIMITS, Retention.WORKQUEUE};

  private static final List<MessageKind> KINDS = List.of(MessageKind.values());
  private static final Set<Fault> STORES =
      Set.of(
          Fault.LEDGER_OUTAGES,
          Fault.DEAD_LETTER_OUTAGES,
          Fault.NOTE_OUTAGES,
          Fault.EVENT_OUTAGES,
          Fault.HANDLER_OUTAGES);

  static Scenario of(SplittableRandom random) {
    Duration ackWait = Duration.ofMillis(2_000 + random.nextInt(4_000));
    return new Scenario(
        random.nextBoolean() ? ModelVersion.V2_9_10 : ModelVersion.V2_15_1,
        RETENTIONS[random.nextInt(RETENTIONS.length)],
        1 + random.nextInt(3),
        messages(random),
        policy(random),
        ackWait,
        faults(random),
        Duration.ofSeconds(10 + random.nextInt(30)),
        random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0,
        random.nextBoolean() ? Duration.ofMinutes(2) : Duration.ofSeconds(2));
  }

  private static List<MessageKind> messages(SplittableRandom random) {
    List<MessageKind> kinds = new ArrayList<>();
    int count = 2 + random.nextInt(10);
    boolean sound = random.nextInt(3) == 0;
    for (int i = 0; i < count; i++) {
      boolean good = sound || random.nextInt(3) == 0;
      kinds.add(good ? MessageKind.GOOD : KINDS.get(random.nextInt(KINDS.size())));
    }
    return kinds;
  }

  private static WorkerPolicy policy(SplittableRandom random) {
    RetryPolicy retry =
        new RetryPolicy(
            1 + random.nextInt(5),
            new Backoff(Duration.ofMillis(300), 2, Duration.ofSeconds(2)),
            Duration.ofSeconds(5 + random.nextInt(20)),
            Duration.ofSeconds(8),
            random.nextInt(3),
            Duration.ofMillis(500));
    BreakerPolicy breaker =
        new BreakerPolicy(Duration.ofSeconds(5 + random.nextInt(20)), 2, Duration.ofMillis(500));
    return new WorkerPolicy(
        retry,
        breaker,
        random.nextBoolean() ? 4 : 64,
        WorkerPolicy.NO_LIMIT,
        1 + random.nextInt(4),
        Duration.ofMillis(3_000 + random.nextInt(4_000)));
  }

  private static Set<Fault> faults(SplittableRandom random) {
    EnumSet<Fault> chosen = EnumSet.noneOf(Fault.class);
    int odds = 1 + random.nextInt(6);
    for (Fault fault : Fault.values()) {
      if (random.nextInt(8) < odds) {
        chosen.add(fault);
      }
    }
    return chosen;
  }

  boolean has(Fault fault) {
    return faults.contains(fault);
  }

  /** Whether no worker is ever disturbed but by a store that does not answer. */
  boolean onlyStoresFail() {
    return STORES.containsAll(faults) && !messages.contains(MessageKind.KILLER);
  }

  @Override
  public String toString() {
    return version
        + ", "
        + retention
        + ", "
        + workers
        + (workers == 1 ? " worker, " : " workers, ")
        + messages
        + ", AckWait "
        + ackWait.toMillis()
        + " ms, delivery limit "
        + policy.retry().deliveryLimit()
        + ", retry window "
        + policy.retry().retryWindow().toSeconds()
        + " s, handler timeout "
        + policy.handlerTimeout().toMillis()
        + " ms, "
        + policy.concurrency()
        + " at once, faults for "
        + chaos.toSeconds()
        + " s: "
        + faults
        + (operators == 0
            ? ""
            : ", "
                + operators
                + " to replay, duplicate window "
                + duplicateWindow.toSeconds()
                + " s");
  }
}
