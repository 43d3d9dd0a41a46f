package dev.contrail.simulation;

import dev.contrail.simulation.model.AckSubject;
import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** A client that knows nothing of Contrail, and does with a message what that says. */
final class ForeignClient extends PullingProcess {
  /** What becomes of a message. */
  enum Kind {
    GOOD,
    /** It is never acknowledged. */
    IGNORED,
    /** It is returned each time. */
    RETURNED,
    TERMINATED,
    /** It is acknowledged when AckWait is over. */
    LATE,
    /** It is acknowledged on its second delivery. */
    SECOND,
    /** So large that its dead letter has parts, and never acknowledged. */
    LARGE
  }

  private final GuardedWorld world;

  ForeignClient(String name, GuardedWorld world, SplittableRandom random) {
    super(
        name,
        world.time(),
        world.server(),
        GuardedWorld.STREAM + "." + GuardedWorld.CONSUMER,
        random);
    this.world = world;
  }

  @Override
  void given(Message message) {
    AckSubject delivery = AckSubject.parse(String.valueOf(message.getReplyTo()));
    String text = new String(message.getData(), StandardCharsets.UTF_8);
    long soon = random().nextLong(50 * MILLI);
    switch (Kind.valueOf(text.split(" ", 3)[1])) {
      case GOOD -> in(soon, () -> say(message, "+ACK"));
      case RETURNED -> in(soon, () -> say(message, "-NAK"));
      case TERMINATED -> in(soon, () -> say(message, "+TERM"));
      case LATE -> in(world.scenario().ackWait().toNanos() + soon, () -> say(message, "+ACK"));
      case SECOND -> {
        if (delivery.deliveries() > 1) {
          in(soon, () -> say(message, "+ACK"));
        }
      }
      case IGNORED, LARGE -> {}
    }
  }
}
