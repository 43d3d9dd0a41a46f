package dev.contrail.simulation;

import dev.contrail.simulation.model.Acknowledgement;
import dev.contrail.simulation.model.Answer;
import dev.contrail.simulation.model.Publication;
import dev.contrail.simulation.model.StoredMessage;
import dev.contrail.simulation.model.StreamSettings.Retention;
import dev.contrail.simulation.net.SimulatedProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Knows what clients gave up on, and sees what guards take from the stream. */
final class ReleaseWatch {
  private static final String SEQUENCE = "\"stream_seq\":";

  private final GuardedWorld world;
  private final Map<Long, byte[]> payloads = new TreeMap<>();
  private final Set<Long> acked = new HashSet<>();
  private final Set<Long> dead = new TreeSet<>();

  ReleaseWatch(GuardedWorld world) {
    this.world = world;
  }

  void published(long sequence, byte[] payload) {
    payloads.put(sequence, payload);
  }

  /** The server says something. */
  void advised(Publication advisory) {
    if (advisory.subject().startsWith(GuardedWorld.ADVISORY + "MAX_DELIVERIES.")) {
      String text = advisory.payload().text();
      int at = text.indexOf(SEQUENCE) + SEQUENCE.length();
      dead.add(Long.parseLong(text.substring(at, text.indexOf(',', at))));
    }
  }

  /** Just before the server heeds it. */
  void acknowledges(long sequence, Acknowledgement word, SimulatedProcess from) {
    world.trace().tell("server", "gets " + word + " of " + sequence + " by " + from);
    if (from instanceof GuardProcess) {
      released(sequence);
    } else if (word instanceof Acknowledgement.Ack) {
      acked.add(sequence);
    } else if (word instanceof Acknowledgement.Term) {
      dead.add(sequence);
    }
  }

  /** A guard takes it, just now. */
  void released(long sequence) {
    if (!isStored(sequence)) {
      return;
    }
    world
        .deadLetters()
        .lack(world.server().model(), sequence, payloads.getOrDefault(sequence, new byte[0]))
        .ifPresent(
            lack ->
                world
                    .referee()
                    .foul(
                        Invariant.KEPT_BEFORE_RELEASE,
                        "message " + sequence + " is taken by a guard, and " + lack));
    world
        .referee()
        .require(
            world.changedLately()
                || !world
                    .server()
                    .model()
                    .mayBeGiven(GuardedWorld.STREAM, GuardedWorld.CONSUMER, sequence),
            Invariant.RELEASED_IN_PEACE,
            "message " + sequence + " is taken by a guard, and its consumer may be given it");
  }

  private boolean isStored(long sequence) {
    return world.server().model().message(GuardedWorld.STREAM, sequence)
        instanceof Answer.Ok<StoredMessage>;
  }

  /** What was neither acked by a client nor has a dead letter. */
  List<String> unsettled() {
    List<String> left = new ArrayList<>();
    for (long sequence : payloads.keySet()) {
      if (!acked.contains(sequence) && world.deadLetters().of(sequence).isEmpty()) {
        left.add("message " + sequence);
      }
    }
    return left;
  }

  void checkAll() {
    boolean keeps = world.scenario().retention() == Retention.LIMITS;
    for (long sequence : dead) {
      world
          .referee()
          .require(
              acked.contains(sequence) || world.deadLetters().of(sequence).isPresent(),
              Invariant.NOTHING_VANISHES,
              "message " + sequence + " was given up, and has no dead letter");
      world
          .referee()
          .require(
              keeps || !isStored(sequence),
              Invariant.COMES_TO_REST,
              "message " + sequence + " was given up, and is still in its stream");
    }
  }
}
