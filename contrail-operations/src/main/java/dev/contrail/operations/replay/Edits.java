package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Other payloads for dead letters, kept beside the original, which never changes. */
public final class Edits {
  // What a copy needs beside its payload and the original headers.
  private static final int ROOM_FOR_HEADERS = 1_024;

  private final Connection connection;
  private final EventStore events;
  private final Provisioning provisioning;
  private final Clock clock = Clock.systemUTC();

  public Edits(Connection connection, JetStreamOptions options, Names names, Provision provision) {
    this.connection = connection;
    this.events = new EventStore(connection, options, names);
    this.provisioning = new Provisioning(connection, options, InitPlan.of(names), provision);
  }

  /** The payload of that version; empty where there is none. */
  public Optional<byte[]> payload(DeadLetterId id, int version) {
    return Futures.get(events.payload(id, version));
  }

  /**
   * Stores another payload.
   *
   * @return the state of the dead letter with it
   * @throws ContrailException when the dead letter is not open, or the payload cannot be stored
   */
  public EntryState edit(DeadLetterId id, byte[] payload, String by) {
    long most = connection.getMaxPayload() - ROOM_FOR_HEADERS;
    if (payload.length > most) {
      throw new ContrailException(
          "A payload of "
              + payload.length
              + " bytes cannot be replayed: this server takes up to "
              + most
              + ".");
    }
    provisioning.ensure(List.of(Store.EVENTS));
    Decision decision =
        Futures.get(
            events.take(
                id,
                Futures.get(events.state(id)),
                state -> Step.Edited.of(state.version() + 1, payload),
                payload,
                new EventStore.Decider(by, clock.instant(), false)));
    if (decision instanceof Decision.Taken taken) {
      return taken.before().after(taken.event());
    }
    EntryState state = ((Decision.Refused) decision).state();
    throw new ContrailException(
        "The dead letter "
            + id
            + " cannot be edited: "
            + EntryReplay.notOpen(
                state, Futures.get(events.find(EventAddress.step(id, state.lastStep()))))
            + ".");
  }
}
