package dev.contrail.console.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.operations.guard.GuardStatus;
import io.nats.client.Connection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private static final Optional<GuardStatus> LEADS = guard(true, null, null);
  private static final Connection.Status CONNECTED = Connection.Status.CONNECTED;

  @Test
  void all_must_be_fine() {
    Readiness ready = of(false, CONNECTED, 1, null, LEADS);

    assertThat(ready.isReady()).isTrue();
    assertThat(ready.checks())
        .containsExactly(
            new Check("nats", true, "connected to nats://here"),
            new Check("index", true, "all dead letters are read"),
            new Check("guard", true, "leads"));
  }

  @Test
  void every_reason_is_named() {
    assertThat(bad(of(true, CONNECTED, 1, null, LEADS)))
        .containsExactly("running: was asked to end");
    assertThat(bad(of(false, Connection.Status.RECONNECTING, 1, "client's own words", LEADS)))
        .containsExactly(
            "nats: reconnecting: nats://here",
            "index: cannot be kept up to date without the NATS server");
    assertThat(bad(of(false, CONNECTED, 0.429, null, LEADS)))
        .containsExactly("index: 42% of the dead letters are read");
    assertThat(bad(of(false, CONNECTED, 1, "The stream is gone.", LEADS)))
        .containsExactly("index: The stream is gone.");
    assertThat(bad(of(false, CONNECTED, 1, null, Optional.empty())))
        .containsExactly("guard: not started yet");
    assertThat(bad(of(false, CONNECTED, 1, null, guard(false, null, null))))
        .containsExactly("guard: neither leads nor knows of another that does");
    assertThat(bad(of(false, CONNECTED, 1, null, guard(false, null, "Not allowed."))))
        .containsExactly("guard: Not allowed.");
  }

  @Test
  void a_guard_that_waits_for_another_is_fine() {
    Readiness ready = of(false, CONNECTED, 1, null, guard(false, "serve@other", "Old trouble."));

    assertThat(ready.isReady()).isTrue();
    assertThat(ready.checks())
        .contains(new Check("guard", true, "waits while another leads: serve@other"));
  }

  private static List<String> bad(Readiness readiness) {
    assertThat(readiness.isReady()).isFalse();
    return readiness.checks().stream()
        .filter(check -> !check.ok())
        .map(check -> check.name() + ": " + check.detail())
        .toList();
  }

  @Test
  void a_guard_that_leads_and_fails_is_ready_but_degraded() {
    Readiness degraded = of(false, CONNECTED, 1, null, guard(true, null, "Guarding failed: full."));

    assertThat(degraded.isReady()).isTrue();
    assertThat(degraded.isDegraded()).isTrue();
    assertThat(degraded.checks())
        .contains(Check.degraded("guard", "leads, but lately: Guarding failed: full."));
    assertThat(of(false, CONNECTED, 1, null, LEADS).isDegraded()).isFalse();
    assertThat(of(true, CONNECTED, 1, null, guard(true, null, "Full.")).isDegraded())
        .as("not even ready")
        .isFalse();
  }

  private static Readiness of(
      boolean stopping,
      Connection.Status nats,
      double read,
      @Nullable String problem,
      Optional<GuardStatus> guard) {
    return Readiness.of(
        new Standing(stopping, "nats://here", nats, read, Optional.ofNullable(problem), guard));
  }

  private static Optional<GuardStatus> guard(
      boolean leading, @Nullable String leader, @Nullable String trouble) {
    return Optional.of(
        new GuardStatus(
            leading,
            Optional.ofNullable(leader),
            0,
            0,
            0,
            0,
            0,
            Optional.empty(),
            Optional.ofNullable(trouble)));
  }
}
