package dev.contrail.operations;

import static dev.contrail.operations.TestServer.NAMES;
import static dev.contrail.operations.TestServer.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.audit.AuditRequest;
import dev.contrail.operations.audit.Audits;
import dev.contrail.operations.guard.Guard;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.lease.LeaderLease;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.Selections;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServerBinaries;
import io.nats.client.Connection;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** While the server is away, whoever asks is told so in a sentence, whatever it was. */
class AwayServerTest {
  private static final DeadLetterId ID = new DeadLetterId("ORDERS", "billing", "i", 1);

  @Test
  void every_question_says_that_the_server_is_away() throws Exception {
    try (TestServer at = TestServer.start(NatsServerBinaries.newest(), Store.values())) {
      at.addStream("ORDERS", RetentionPolicy.Limits);
      LeaderLease lease = LeaderLease.of(at.connection, OPTIONS, NAMES, "task", "me");
      at.server.kill();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> at.connection.getStatus() != Connection.Status.CONNECTED);

      List<String> wrong = new ArrayList<>();
      questions(at.connection, lease)
          .forEach(
              (name, question) -> {
                Throwable thrown = thrownBy(question);
                if (!(thrown instanceof ContrailException)) {
                  wrong.add(name + ": " + thrown);
                }
              });
      assertThat(wrong).isEmpty();
      assertThatThrownBy(() -> lease.tryTake()).hasMessageContaining("CONTRAIL_LEASES");
    }
  }

  private static Map<String, ThrowingCallable> questions(Connection nats, LeaderLease lease) {
    Map<String, ThrowingCallable> all = new LinkedHashMap<>();
    DeadLetters letters = new DeadLetters(nats, OPTIONS, NAMES);
    ReplayPlans plans = new ReplayPlans(nats, OPTIONS, NAMES, Provision.CREATE);
    all.put("stores", () -> provisioning(nats).ensure(EnumSet.allOf(Store.class)));
    all.put("a dead letter", () -> letters.find(ID));
    all.put("dead letters", () -> letters.list(Optional.empty(), Optional.empty()));
    all.put("ledgers", () -> new Ledgers(nats, OPTIONS, NAMES).list());
    all.put("a lease", () -> LeaderLease.of(nats, OPTIONS, NAMES, "task", "me"));
    all.put("to take a lease", lease::tryTake);
    all.put("to take a lease over", lease::takeOver);
    all.put("plans", () -> plans.list(unreadable -> {}));
    all.put("a new plan", () -> plans.create(List.of(), "none", PlanOptions.DEFAULT, "me"));
    all.put(
        "candidates",
        () ->
            new Selections(nats, OPTIONS, NAMES)
                .matching(EntryFilter.builder().build(), unreadable -> {}));
    all.put(
        "a decision",
        () ->
            new Decisions(nats, OPTIONS, NAMES, Provision.CREATE, "me", false)
                .discard(ID, "because"));
    all.put("a guard", () -> Guard.start(nats, OPTIONS, NAMES, GuardOptions.DEFAULT, event -> {}));
    all.put(
        "a worker", () -> Contrail.consumer(nats, "ORDERS", "w").handler(delivery -> {}).start());
    all.put(
        "an audit",
        () ->
            new Audits(nats, OPTIONS, NAMES)
                .audit(
                    new AuditRequest("ORDERS", List.of(), Optional.empty()),
                    Instant.now(),
                    (done, of) -> {}));
    return all;
  }

  private static Provisioning provisioning(Connection nats) {
    return new Provisioning(nats, OPTIONS, InitPlan.of(NAMES), Provision.CREATE);
  }

  private static Throwable thrownBy(ThrowingCallable question) {
    try {
      question.call();
      return new AssertionError("nothing was thrown");
    } catch (Throwable e) {
      return e;
    }
  }
}
