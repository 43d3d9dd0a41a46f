package dev.contrail.engine;

import static dev.contrail.engine.DeliveryEvent.ACKED;
import static dev.contrail.engine.DeliveryEvent.CLEARED;
import static dev.contrail.engine.DeliveryEvent.COMPLETED;
import static dev.contrail.engine.DeliveryEvent.DOUBTED;
import static dev.contrail.engine.DeliveryEvent.DYING;
import static dev.contrail.engine.DeliveryEvent.ENDED_UNLEASED;
import static dev.contrail.engine.DeliveryEvent.HELD;
import static dev.contrail.engine.DeliveryEvent.LEASE_LOST;
import static dev.contrail.engine.DeliveryEvent.NAKED;
import static dev.contrail.engine.DeliveryEvent.NOTE_OUTCOME;
import static dev.contrail.engine.DeliveryEvent.PREPARED;
import static dev.contrail.engine.DeliveryEvent.RECALLED;
import static dev.contrail.engine.DeliveryEvent.REDELIVERED;
import static dev.contrail.engine.DeliveryEvent.RELEASED;
import static dev.contrail.engine.DeliveryEvent.STARTED;
import static dev.contrail.engine.DeliveryEvent.STUMBLED;
import static dev.contrail.engine.DeliveryEvent.TERMED;
import static dev.contrail.engine.DeliveryState.BURYING;
import static dev.contrail.engine.DeliveryState.CHECKING;
import static dev.contrail.engine.DeliveryState.LOST;
import static dev.contrail.engine.DeliveryState.NOTING;
import static dev.contrail.engine.DeliveryState.READY;
import static dev.contrail.engine.DeliveryState.RECORDING;
import static dev.contrail.engine.DeliveryState.RECORDING_UNLEASED;
import static dev.contrail.engine.DeliveryState.RUNNING;
import static dev.contrail.engine.DeliveryState.SETTLED;
import static dev.contrail.engine.DeliveryState.STARTING;
import static dev.contrail.engine.DeliveryState.TRIED;
import static dev.contrail.engine.DeliveryState.UNLEASED;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The one table of legal transitions. What is not in it is a bug and stops the worker's step. */
public final class Transitions {
  private static final Map<DeliveryState, Map<DeliveryEvent, DeliveryState>> TABLE =
      new EnumMap<>(DeliveryState.class);

  static {
    allow(CHECKING, CLEARED, READY);
    allow(CHECKING, ACKED, SETTLED);
    allow(CHECKING, DYING, BURYING);
    allow(CHECKING, NAKED, SETTLED);
    allow(CHECKING, TERMED, SETTLED);

    allow(READY, STARTED, RUNNING);
    allow(READY, PREPARED, STARTING);
    allow(READY, DOUBTED, CHECKING);
    allow(READY, ACKED, SETTLED);
    allow(READY, NAKED, SETTLED);

    allow(STARTING, STARTED, RUNNING);
    allow(STARTING, RECALLED, READY);
    allow(STARTING, NAKED, SETTLED);

    allow(RUNNING, RECALLED, READY);
    allow(RUNNING, ACKED, SETTLED);
    allow(RUNNING, COMPLETED, RECORDING);
    allow(RUNNING, NAKED, SETTLED);
    allow(RUNNING, DYING, BURYING);
    allow(RUNNING, HELD, TRIED);
    allow(RUNNING, NOTE_OUTCOME, NOTING);

    allow(TRIED, RELEASED, READY);
    allow(TRIED, NAKED, SETTLED);
    allow(TRIED, DYING, BURYING);

    allow(NOTING, ACKED, SETTLED);
    allow(NOTING, COMPLETED, RECORDING);
    allow(NOTING, NAKED, SETTLED);
    allow(NOTING, HELD, TRIED);

    allow(RECORDING, ACKED, SETTLED);
    allow(RECORDING, LEASE_LOST, RECORDING_UNLEASED);
    allow(RECORDING, REDELIVERED, RECORDING);
    allow(RECORDING_UNLEASED, REDELIVERED, RECORDING);
    allow(RECORDING_UNLEASED, ENDED_UNLEASED, LOST);

    allow(BURYING, ACKED, SETTLED);
    allow(BURYING, TERMED, SETTLED);
    allow(BURYING, NAKED, SETTLED);

    allow(UNLEASED, REDELIVERED, RUNNING);
    allow(UNLEASED, COMPLETED, RECORDING_UNLEASED);
    allow(UNLEASED, ENDED_UNLEASED, LOST);

    allow(RUNNING, LEASE_LOST, UNLEASED);
    allow(RUNNING, REDELIVERED, RUNNING);
    for (DeliveryState waiting :
        new DeliveryState[] {CHECKING, READY, STARTING, TRIED, NOTING, BURYING}) {
      allow(waiting, LEASE_LOST, LOST);
      allow(waiting, REDELIVERED, waiting);
    }
  }

  static {
    for (DeliveryState state : DeliveryState.values()) {
      if (!state.isOver()) {
        allow(state, STUMBLED, LOST);
      }
    }
  }

  private Transitions() {}

  /** Where the event leads, or empty where it cannot happen. */
  public static Optional<DeliveryState> next(DeliveryState state, DeliveryEvent event) {
    return Optional.ofNullable(of(state).get(event));
  }

  static DeliveryState require(DeliveryState state, DeliveryEvent event) {
    DeliveryState next = of(state).get(event);
    if (next == null) {
      throw new IllegalStateException("a message that is " + state + " cannot be " + event);
    }
    return next;
  }

  private static void allow(DeliveryState from, DeliveryEvent event, DeliveryState to) {
    TABLE.computeIfAbsent(from, state -> new EnumMap<>(DeliveryEvent.class)).put(event, to);
  }

  private static Map<DeliveryEvent, DeliveryState> of(DeliveryState state) {
    return TABLE.getOrDefault(state, Map.of());
  }
}
