package dev.contrail.simulation;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.replay.SteppedReplay;
import dev.contrail.simulation.net.Outgoing;
import dev.contrail.simulation.net.SimulatedConnection;
import dev.contrail.simulation.net.SimulatedProcess;
import dev.contrail.simulation.net.Tap;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A process in which somebody replays dead letters; killed, the plan is resumed by another. */
final class OperatorProcess extends SimulatedProcess implements Tap {
  private static final long MILLI = 1_000_000;

  /**
   * What was chosen to be replayed. It outlives those who run it.
   *
   * @param entries with the newest step of each when it was chosen
   */
  record Plan(String name, Map<DeadLetterId, Integer> entries, List<DeadLetterId> settled) {
    Plan(String name) {
      this(name, new LinkedHashMap<>(), new ArrayList<>());
    }

    boolean isDone() {
      return settled.size() == entries.size();
    }
  }

  private final World world;
  private final Plan plan;
  private final SimulatedConnection connection;
  private @Nullable SteppedReplay replay;

  OperatorProcess(String name, World world, Plan plan, SplittableRandom random) {
    super(name, world.time(), random);
    this.world = world;
    this.plan = plan;
    this.connection = new SimulatedConnection(this, world.server(), this);
  }

  SimulatedConnection connection() {
    return connection;
  }

  Plan plan() {
    return plan;
  }

  @Override
  public List<Outgoing> sends(Outgoing message) {
    return world.mutation().operatorSends(message, connection);
  }

  @Override
  public void receives(String subject, Message message) {}

  /** Chooses what is open, and replays it. */
  void choose(List<DeadLetter> letters) {
    EventStore events =
        new EventStore(connection.face(), JetStreamOptions.defaultOptions(), Names.DEFAULT);
    for (DeadLetter letter : letters) {
      var unused =
          events
              .state(letter.id())
              .thenAccept(
                  state -> {
                    if (state.status() == Status.OPEN) {
                      plan.entries().put(letter.id(), state.lastStep());
                      replay(letter.id());
                    }
                  });
    }
  }

  /** Goes on with what is not settled. */
  void resume() {
    plan.entries().keySet().stream()
        .filter(id -> !plan.settled().contains(id))
        .toList()
        .forEach(this::replay);
  }

  private void replay(DeadLetterId id) {
    Optional<DeadLetter> letter = world.deadLetters().letter(world.server().model(), id);
    if (letter.isEmpty()) {
      settled(id);
      return;
    }
    world.trace().tell(name(), "replays " + id.sequence() + " (" + plan.name() + ")");
    int index = List.copyOf(plan.entries().keySet()).indexOf(id);
    int lastStep = plan.entries().getOrDefault(id, 0);
    CompletableFuture<Boolean> done;
    try {
      done = steps().replay(index, letter.get(), lastStep);
    } catch (RuntimeException e) {
      done = CompletableFuture.failedFuture(e);
    }
    var unused =
        done.whenComplete(
            (settled, failure) -> {
              if (failure == null && settled) {
                world.trace().tell(name(), "is done with " + id.sequence());
                settled(id);
              } else {
                in(1_000 * MILLI, () -> replay(id));
              }
            });
  }

  private SteppedReplay steps() {
    if (replay == null) {
      replay = new SteppedReplay(connection.face(), plan.name(), name(), this::isCompleted);
    }
    return replay;
  }

  private boolean isCompleted(DeadLetterId id) {
    return Completed.read(world.server().model()).contains(id.sequence());
  }

  private void settled(DeadLetterId id) {
    if (isAlive() && !plan.settled().contains(id)) {
      plan.settled().add(id);
    }
  }
}
