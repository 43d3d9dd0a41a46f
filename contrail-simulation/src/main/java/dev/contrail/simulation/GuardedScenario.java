package dev.contrail.simulation;

import dev.contrail.simulation.model.ModelVersion;
import dev.contrail.simulation.model.StreamSettings.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What a schedule with guards is about, as its seed says.
 *
 * @param chaos how long faults last
 */
record GuardedScenario(
    ModelVersion version,
    Retention retention,
    int maxDeliver,
    int clients,
    int guards,
    List<ForeignClient.Kind> messages,
    Duration ackWait,
    Set<GuardedFault> faults,
    Duration chaos) {
  private static final List<Retention> RETENTIONS = List.of(Retention.values());
  private static final List<ForeignClient.Kind> KINDS = List.of(ForeignClient.Kind.values());

  static GuardedScenario of(SplittableRandom random) {
    return new GuardedScenario(
        random.nextBoolean() ? ModelVersion.V2_9_10 : ModelVersion.V2_15_1,
        RETENTIONS.get(random.nextInt(RETENTIONS.size())),
        1 + random.nextInt(3),
        1 + random.nextInt(2),
        1 + random.nextInt(2),
        messages(random),
        Duration.ofMillis(1_000 + random.nextInt(3_000)),
        faults(random),
        Duration.ofSeconds(10 + random.nextInt(30)));
  }

  private static List<ForeignClient.Kind> messages(SplittableRandom random) {
    List<ForeignClient.Kind> kinds = new ArrayList<>();
    int count = 2 + random.nextInt(8);
    for (int i = 0; i < count; i++) {
      kinds.add(KINDS.get(random.nextInt(KINDS.size())));
    }
    return kinds;
  }

  private static Set<GuardedFault> faults(SplittableRandom random) {
    EnumSet<GuardedFault> chosen = EnumSet.noneOf(GuardedFault.class);
    for (GuardedFault fault : GuardedFault.values()) {
      if (random.nextInt(3) == 0) {
        chosen.add(fault);
      }
    }
    return chosen;
  }

  @Override
  public String toString() {
    return version
        + ", "
        + retention
        + ", MaxDeliver "
        + maxDeliver
        + ", "
        + clients
        + (clients == 1 ? " client, " : " clients, ")
        + guards
        + (guards == 1 ? " guard, " : " guards, ")
        + messages
        + ", AckWait "
        + ackWait.toMillis()
        + " ms, faults for "
        + chaos.toSeconds()
        + " s: "
        + faults;
  }
}
