package dev.contrail.console.health;

import dev.contrail.operations.guard.GuardStatus;
import io.nats.client.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether a service does what it is there for: all checks must be fine. */
public record Readiness(List<Check> checks) {
  private static final int PERCENT = 100;

  public Readiness {
    checks = List.copyOf(checks);
  }

  public boolean isReady() {
    return checks.stream().allMatch(Check::ok);
  }

  /** Whether it is ready, and something is wrong all the same. */
  public boolean isDegraded() {
    return isReady() && checks.stream().anyMatch(Check::degraded);
  }

  /** What follows from how it stands. */
  public static Readiness of(Standing standing) {
    List<Check> checks = new ArrayList<>();
    if (standing.stopping()) {
      checks.add(new Check("running", false, "was asked to end"));
    }
    checks.add(nats(standing));
    checks.add(index(standing));
    checks.add(guard(standing.guard()));
    return new Readiness(checks);
  }

  private static Check nats(Standing standing) {
    boolean connected = standing.nats() == Connection.Status.CONNECTED;
    return new Check(
        "nats",
        connected,
        connected
            ? "connected to " + standing.server()
            : standing.nats().name().toLowerCase(Locale.ROOT) + ": " + standing.server());
  }

  private static Check index(Standing standing) {
    if (standing.nats() != Connection.Status.CONNECTED) {
      return new Check("index", false, "cannot be kept up to date without the NATS server");
    }
    if (standing.indexProblem().isPresent()) {
      return new Check("index", false, standing.indexProblem().get());
    }
    boolean all = standing.indexRead() >= 1;
    return new Check(
        "index",
        all,
        all
            ? "all dead letters are read"
            : (int) (standing.indexRead() * PERCENT) + "% of the dead letters are read");
  }

  private static Check guard(Optional<GuardStatus> guard) {
    if (guard.isEmpty()) {
      return new Check("guard", false, "not started yet");
    }
    GuardStatus status = guard.get();
    if (status.leading()) {
      return status
          .trouble()
          .map(trouble -> Check.degraded("guard", "leads, but lately: " + trouble))
          .orElse(new Check("guard", true, "leads"));
    }
    return status
        .leader()
        .map(leader -> new Check("guard", true, "waits while another leads: " + leader))
        .orElse(
            new Check(
                "guard",
                false,
                status.trouble().orElse("neither leads nor knows of another that does")));
  }
}
