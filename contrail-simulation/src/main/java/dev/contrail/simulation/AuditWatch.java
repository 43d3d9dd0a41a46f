package dev.contrail.simulation;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.AuditRequest;
import dev.contrail.operations.audit.Audits;
import dev.contrail.operations.audit.Fate;
import dev.contrail.simulation.net.Observer;
import io.nats.client.JetStreamOptions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Has the audit of production account for every message: in the midst of it all, when some move on
 * while it looks, and in the end, when it has to agree with what is known of each.
 */
final class AuditWatch {
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final AuditRequest ALL =
      new AuditRequest(World.STREAM, List.of(), Optional.empty());

  private final World world;
  private final Audits audits;

  AuditWatch(World world, SplittableRandom random) {
    this.world = world;
    Observer observer = new Observer(world.time(), world.server(), random);
    this.audits = new Audits(observer.face(), JetStreamOptions.defaultOptions(), Names.DEFAULT);
  }

  /** Nothing is unaccounted for at any time. */
  void look() {
    boolean before = world.hasConsumer();
    Optional<AuditReport> report = audit();
    boolean claimed = before && world.hasConsumer();
    world.trace().tell("audit", report.map(AuditWatch::summary).orElse("gets no answer"));
    for (AuditReport.OfConsumer consumer : report.map(AuditReport::consumers).orElse(List.of())) {
      requireNone(consumer, Fate.UNACCOUNTED);
      if (claimed) {
        requireNone(consumer, Fate.ORPHANED);
      }
    }
  }

  /** Each message has the fate that everybody saw it come to. */
  void lookAtTheEnd() {
    Completed before = Completed.read(world.server().model());
    Optional<AuditReport> found = audit();
    Completed after = Completed.read(world.server().model());
    if (found.isEmpty()) {
      world.referee().foul(Invariant.AUDIT_HAS_NO_GAP, "the audit gets no answer");
      return;
    }
    AuditReport report = found.get();
    world.trace().tell("audit", summary(report));
    require(report.complete(), "what is on record cannot be read: " + report.notes());
    require(
        report.from() == 1 && !report.consumers().isEmpty(),
        "the audit begins with " + report.from() + ", and has " + report.consumers().size());
    for (AuditReport.OfConsumer consumer : report.consumers()) {
      for (Map.Entry<Fate, SequenceSet> fate : consumer.fates().entrySet()) {
        fate.getValue()
            .ranges()
            .forEach(
                range -> {
                  for (long each = range.from(); each <= range.to(); each++) {
                    require(each, fate.getKey(), before, after);
                  }
                });
      }
    }
  }

  /** What was given up may be done meanwhile, and is recorded. */
  private void require(long sequence, Fate said, Completed before, Completed after) {
    Fate known = known(sequence, after);
    require(
        said == known || said == known(sequence, before),
        "the audit has message " + sequence + " as " + said.text() + ", and it is " + known.text());
  }

  private Fate known(long sequence, Completed completed) {
    if (completed.contains(sequence)) {
      return Fate.PROCESSED;
    }
    return world.replays().fateOfCopy(sequence).orElseGet(() -> fateOfDead(sequence));
  }

  private Fate fateOfDead(long sequence) {
    return world
        .deadLetters()
        .of(sequence)
        .map(id -> world.replays().fateOf(id))
        .orElse(Fate.UNACCOUNTED);
  }

  private void requireNone(AuditReport.OfConsumer consumer, Fate fate) {
    require(
        consumer.count(fate) == 0,
        "the audit has as " + fate.text() + " for " + consumer.consumer() + ": " + consumer.gaps());
  }

  private void require(boolean holds, String otherwise) {
    world.referee().require(holds, Invariant.AUDIT_HAS_NO_GAP, otherwise);
  }

  private Optional<AuditReport> audit() {
    long now = world.time().now();
    Instant at = Instant.ofEpochSecond(now / NANOS_PER_SECOND, now % NANOS_PER_SECOND);
    try {
      return Optional.of(audits.audit(ALL, at, (done, of) -> {}));
    } catch (ContrailException e) {
      if (world.server().isUp()) {
        world
            .referee()
            .foul(Invariant.AUDIT_HAS_NO_GAP, e.getMessage() + " (" + e.getCause() + ")");
      }
      return Optional.empty();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a schedule", e);
    }
  }

  private static String summary(AuditReport report) {
    StringBuilder summary = new StringBuilder("accounts for " + report.messages());
    for (Fate fate : Fate.values()) {
      if (report.count(fate) > 0) {
        summary.append(", ").append(report.count(fate)).append(' ').append(fate.text());
      }
    }
    return summary.toString();
  }
}
