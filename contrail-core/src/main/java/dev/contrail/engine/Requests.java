package dev.contrail.engine;

import java.util.List;

/** The way to a store: by itself, every request is sent as it comes. */
@FunctionalInterface
interface Requests<M> {
  /** Asks in its turn. */
  void request(InFlight<M> message);

  /** Asks at once. */
  default void requestNow(InFlight<M> message) {
    request(message);
  }

  /** The answer to what was asked for this message came. */
  default void answered(InFlight<M> message) {}

  /** Whether an answer for this message is still to come. */
  default boolean isUnderWay(InFlight<M> message) {
    return false;
  }

  /** Gives up those whose turn has not come, in their order. */
  default List<InFlight<M>> takeQueued() {
    return List.of();
  }

  /** How many wait for their turn. */
  default int queued() {
    return 0;
  }
}
