package dev.contrail.event;

import dev.contrail.evidence.DeadLetterId;
import java.time.Instant;
import java.util.Optional;

/** Events to test with. */
final class Events {
  static final DeadLetterId ID = new DeadLetterId("ORDERS", "billing", "ho77nadw1d", 42);
  static final DeadLetterId NEXT = new DeadLetterId("ORDERS", "billing", "ho77nadw1d", 77);
  static final CopyPlace COPY = new CopyPlace("ORDERS", "ho77nadw1d", 77);
  static final Instant AT = Instant.parse("2026-03-01T10:00:00.123456789Z");
  static final String SHA256 = "0123456789abcdef".repeat(4);

  private Events() {}

  static Event step(int number, Step step) {
    return new Event(EventAddress.step(ID, number), AT, "ann@host", step);
  }

  static Event replay(int number) {
    return step(number, replay());
  }

  static Step.Replay replay() {
    return new Step.Replay("p1", "orders.new", "ORDERS", Optional.of("billing"), 0, ID, 1);
  }

  static Event outcome(int step, ReplayOutcome outcome) {
    return new Event(EventAddress.outcome(ID, step), AT, "7@host", outcome);
  }

  static Event resolved(int step) {
    return outcome(step, new ReplayOutcome.Resolved(COPY, "billing", false));
  }

  static Event run(int step) {
    return claim(step, 1, new Fact.Run(COPY, "billing"));
  }

  static Event claim(int step, int turn, Fact.Claim claim) {
    return new Event(EventAddress.run(ID, step, turn), AT, "7@host", claim);
  }

  static Event skipped(int step) {
    return new Event(
        EventAddress.skipped(ID, step, COPY, "mail"), AT, "8@host", new Fact.Skipped(COPY, "mail"));
  }

  static Event note() {
    return new Event(EventAddress.note(ID, "n1"), AT, "ann@host", new Fact.Note("called Bob"));
  }
}
