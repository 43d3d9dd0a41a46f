package dev.contrail.operations.orphans;

import dev.contrail.jetstream.Provision;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.stranded.Quay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reaps in a process of its own, each stream on a thread of its own, and stops in each at the point
 * given: to be killed then. Its arguments are the server's address, and for each stream its name,
 * prefix, what becomes of its orphans, and fault.
 */
final class ReaperMain {
  static final String ORPHANS = "orphans";
  static final String TAKEN = "taken";

  private ReaperMain() {}

  public static void main(String[] arguments) throws Exception {
    for (int at = 1; at < arguments.length; at += 4) {
      Quay quay = Quay.at(arguments[0], arguments[at], arguments[at + 1]);
      Fate fate = Fate.valueOf(arguments[at + 2]);
      ReapFault fault = ReapFault.valueOf(arguments[at + 3]);
      new Thread(() -> run(quay, fate, fault)).start();
    }
  }

  static ReapPlan plan(Quay quay, Fate fate) {
    return new ReapPlan(
        List.of(quay.stream),
        Duration.ZERO,
        Set.of(OrphanClass.UNCLAIMED),
        fate,
        fate == Fate.HAND_OVER ? Optional.of(quay.subject(TAKEN)) : Optional.empty(),
        Optional.empty(),
        true);
  }

  static Reaper reaper(Quay quay) {
    return new Reaper(quay.connection, Quay.OPTIONS, quay.names, Provision.CREATE, "ann@host");
  }

  private static void run(Quay quay, Fate fate, ReapFault fault) {
    ReapPlan plan = plan(quay, fate);
    Reaper reaper = reaper(quay);
    ReapPort port =
        new StoppingReapPort(
            reaper.port(plan),
            fault,
            () -> !quay.server.subjects(quay.stream, quay.subject(TAKEN)).isEmpty(),
            () -> System.out.println("reached " + quay.stream));
    try {
      reaper.reap(plan, port, System::nanoTime, () -> true, () -> false, (done, of) -> {});
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
