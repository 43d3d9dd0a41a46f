package dev.contrail.console.worker;

import dev.contrail.console.health.Check;
import dev.contrail.console.health.Readiness;
import dev.contrail.engine.StoreKind;
import io.nats.client.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How it stands with a worker. Pure.
 *
 * @param server the NATS server for people to read, without passwords
 * @param work empty before it has begun to work
 * @param stopping whether it was asked to end
 */
record WorkerHealth(String server, Connection.Status nats, Optional<Work> work, boolean stopping) {
  /**
   * What goes on.
   *
   * @param down what cannot be used, so that messages are held
   * @param held how many are
   */
  record Work(List<StoreKind> down, int held, boolean breakerOpen, boolean paused) {}

  Readiness readiness() {
    List<Check> checks = new ArrayList<>();
    if (stopping) {
      checks.add(new Check("running", false, "was asked to end"));
    }
    boolean connected = nats == Connection.Status.CONNECTED;
    checks.add(
        new Check(
            "nats",
            connected,
            connected
                ? "connected to " + server
                : nats.name().toLowerCase(Locale.ROOT) + ": " + server));
    checks.add(worker());
    return new Readiness(checks);
  }

  /** A store that is down, or what handlers need, would be so for any worker in its place. */
  private Check worker() {
    if (work.isEmpty()) {
      return new Check("worker", false, "not started yet");
    }
    Work now = work.get();
    if (!now.down().isEmpty()) {
      return degraded(now.held() + " messages are held: cannot use " + named(now.down()));
    }
    if (now.breakerOpen()) {
      return degraded(
          now.held() + " messages are held: nothing succeeds, they are tried one by one");
    }
    return now.paused() ? degraded("was told to pause") : new Check("worker", true, "works");
  }

  private static Check degraded(String detail) {
    return new Check("worker", true, true, detail);
  }

  private static String named(List<StoreKind> stores) {
    return stores.stream()
        .map(store -> store.name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .collect(Collectors.joining(", "));
  }
}
