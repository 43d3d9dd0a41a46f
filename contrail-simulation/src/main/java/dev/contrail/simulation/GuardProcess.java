package dev.contrail.simulation;

import dev.contrail.operations.guard.SteppedGuard;
import dev.contrail.simulation.net.Outgoing;
import io.nats.client.Message;
import java.util.List;
import java.util.SplittableRandom;

/** A guard that takes itself for the one that leads. */
final class GuardProcess extends PullingProcess {
  private final GuardedWorld world;
  private final SteppedGuard guard;

  GuardProcess(String name, GuardedWorld world, SplittableRandom random) {
    super(name, world.time(), world.server(), GuardedWorld.ADVISORIES + ".contrail-guard", random);
    this.world = world;
    this.guard =
        new SteppedGuard(
            connection().face(),
            name,
            event -> {
              if (isAlive()) {
                world.trace().tell(name, event.sentence());
              }
            });
  }

  @Override
  void given(Message message) {
    if (world.mutation().acksAdvisoriesFirst()) {
      say(message, "+ACK");
    }
    var unused =
        guard
            .handle(message.getData(), message.metaData().deliveredCount())
            .thenAccept(
                again ->
                    say(
                        message,
                        again
                            .map(delay -> "-NAK {\"delay\":" + delay.toNanos() + "}")
                            .orElse("+ACK")));
  }

  @Override
  public List<Outgoing> sends(Outgoing message) {
    return world.mutation().guardSends(message);
  }

  @Override
  public void receives(String subject, Message message) {
    world.mutation().guardReceives(subject, message, connection());
  }
}
