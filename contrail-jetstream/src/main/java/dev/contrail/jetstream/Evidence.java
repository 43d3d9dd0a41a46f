package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.failure.Failure;
import java.time.Clock;

/** Makes the dead letter of a message that this consumer gives up. */
final class Evidence {
  private final ConsumerIdentity identity;
  private final Death.Witness witness;
  private final Clock clock;

  Evidence(ConsumerIdentity identity, Death.Witness witness, Clock clock) {
    this.identity = identity;
    this.witness = witness;
    this.clock = clock;
  }

  DeadLetterId id(InFlight<Delivered> message) {
    return identity.id(message.sequence());
  }

  DeadLetter of(InFlight<Delivered> message) {
    Death death =
        new Death(
            message.reason(),
            clock.instant(),
            message.deliveries(),
            Failure.of(message.cause()),
            witness);
    return new DeadLetter(id(message), message.message().original(), death);
  }
}
