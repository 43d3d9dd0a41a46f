package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.engine.WorkerEvent;
import dev.contrail.evidence.DeadLetterId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes out of what the worker tells what became of the message in hand. */
final class StepWatch {
  private final DeadLetterArchive archive;
  private @Nullable WorkerEvent<Delivered> told;
  private boolean ran;

  StepWatch(DeadLetterArchive archive) {
    this.archive = archive;
  }

  /** A new step. */
  void begin() {
    told = null;
    ran = false;
  }

  /** The handler was run. */
  void ran() {
    ran = true;
  }

  void told(WorkerEvent<Delivered> event) {
    boolean ofMessage =
        event instanceof WorkerEvent.Retrying
            || event instanceof WorkerEvent.Dead
            || event instanceof WorkerEvent.AlreadyDead
            || event instanceof WorkerEvent.LeaseLost
            || event instanceof WorkerEvent.Stumbled;
    if (ofMessage) {
      told = event;
    }
  }

  StepResult acked(InFlight<Delivered> message) {
    return ran
        ? new StepResult.Acked(message.sequence(), message.deliveries())
        : new StepResult.AckedUnrun(message.sequence(), message.deliveries());
  }

  Optional<StepResult> result() {
    WorkerEvent<Delivered> event = told;
    if (event instanceof WorkerEvent.Retrying<Delivered> retrying) {
      return Optional.of(retried(retrying));
    }
    if (event instanceof WorkerEvent.Dead<Delivered> dead) {
      return Optional.of(deadLettered(dead.message()));
    }
    if (event instanceof WorkerEvent.AlreadyDead<Delivered> dead) {
      return Optional.of(
          new StepResult.AlreadyDead(dead.message().sequence(), dead.message().deliveries()));
    }
    if (event instanceof WorkerEvent.LeaseLost<Delivered> lost) {
      return Optional.of(letGo(lost.message()));
    }
    return event instanceof WorkerEvent.Stumbled<Delivered> stumbled
        ? Optional.of(letGo(stumbled.message()))
        : Optional.empty();
  }

  private static StepResult retried(WorkerEvent.Retrying<Delivered> retrying) {
    InFlight<Delivered> message = retrying.message();
    return new StepResult.Retried(
        message.sequence(),
        message.deliveries(),
        retrying.delay(),
        retrying.shortened(),
        retrying.cause());
  }

  private StepResult deadLettered(InFlight<Delivered> message) {
    DeadLetterId id = message.message().deadLetter().orElseThrow();
    return new StepResult.DeadLettered(
        message.sequence(),
        message.deliveries(),
        message.cause(),
        archive.read(id).join().orElseThrow());
  }

  private static StepResult letGo(InFlight<Delivered> message) {
    return new StepResult.LetGo(message.sequence(), message.deliveries());
  }
}
