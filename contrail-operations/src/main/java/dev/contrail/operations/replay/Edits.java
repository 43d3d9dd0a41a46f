package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.EventAddress;
import dev.contrail.event.LegalSteps;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.DeadLetters;
import dev.contrail.redaction.Redaction;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Other payloads for dead letters, kept beside the original, which never changes. */
public final class Edits {
  // What a copy needs beside its payload and the original headers.
  private static final int ROOM_FOR_HEADERS = 1_024;

  private final Connection connection;
  private final EventStore events;
  private final DeadLetters deadLetters;
  private final Provisioning provisioning;
  private final Clock clock = Clock.systemUTC();

  public Edits(Connection connection, JetStreamOptions options, Names names, Provision provision) {
    this.connection = connection;
    this.events = new EventStore(connection, options, names);
    this.deadLetters = new DeadLetters(connection, options, names);
    this.provisioning = new Provisioning(connection, options, InitPlan.of(names), provision);
  }

  /**
   * An edit that is stored.
   *
   * @param version its number
   * @param difference to the version before, as {@link PayloadDifference} tells it; empty where
   *     there was no room for it
   */
  public record Edit(int version, String difference) {}

  /**
   * The payload of that version, 0 being the original; empty where there is none.
   *
   * @throws ContrailException when it cannot be read
   * @throws UnreadableEvidenceException when the dead letter is damaged, or of a newer release
   */
  public Optional<byte[]> payload(DeadLetterId id, int version) {
    return version == 0
        ? deadLetters.find(id).map(letter -> letter.message().payload())
        : Futures.get(events.payload(id, version));
  }

  /**
   * What that version changed, as far as those rules let it be seen; empty where that is not known.
   *
   * @throws ContrailException when it cannot be read
   * @throws UnreadableEvidenceException when the dead letter is damaged, or of a newer release
   */
  public Optional<String> difference(DeadLetterId id, int version, Redaction rules) {
    if (rules.isNone()) {
      return Futures.get(events.difference(id, version));
    }
    // Lines of JSON cannot be redacted one by one: told anew from what may be seen of both.
    Optional<byte[]> before = payload(id, version - 1);
    Optional<byte[]> after = payload(id, version);
    return before.isPresent() && after.isPresent()
        ? Optional.of(seen(rules, before.get(), after.get()))
        : Optional.empty();
  }

  /** What differs between two payloads as far as those rules let it be seen. */
  public static String seen(Redaction rules, byte[] before, byte[] after) {
    byte[] seenBefore = rules.apply(before);
    byte[] seenAfter = rules.apply(after);
    return Arrays.equals(seenBefore, seenAfter) && !Arrays.equals(before, after)
        ? "(all that differs is redacted)"
        : PayloadDifference.of(seenBefore, seenAfter);
  }

  /**
   * Stores another payload.
   *
   * @throws ContrailException when the dead letter is not open, or the payload cannot be stored
   * @throws UnreadableEvidenceException when the dead letter is damaged, or of a newer release
   */
  public Edit edit(DeadLetterId id, byte[] payload, String by) {
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
    int room = (int) Math.min(PayloadDifference.MOST_BYTES, most - payload.length);
    while (true) {
      EntryState known = Futures.get(events.state(id));
      String difference =
          payload(id, known.version())
              .map(before -> PayloadDifference.of(before, payload, room))
              .orElse("");
      Decision decision = take(id, known, payload, difference, by);
      if (decision instanceof Decision.Taken taken) {
        return new Edit(taken.before().after(taken.event()).version(), difference);
      }
      EntryState state = ((Decision.Refused) decision).state();
      boolean editedMeanwhile = state.status() == Status.OPEN && state.version() > known.version();
      if (!editedMeanwhile) {
        throw notEditable(id, state);
      }
    }
  }

  /**
   * Looks whether one that stands so may be edited.
   *
   * @throws ContrailException when it may not
   */
  public void requireEditable(DeadLetterId id, EntryState state) {
    if (LegalSteps.answer(state, Step.Kind.EDITED) != LegalSteps.Answer.YES) {
      throw notEditable(id, state);
    }
  }

  /** Refused as well where somebody else has edited it since: the difference would not be true. */
  private Decision take(
      DeadLetterId id, EntryState known, byte[] payload, String difference, String by) {
    Step edited = Step.Edited.of(known.version() + 1, payload, difference);
    return Futures.get(
        events.takeIf(
            id,
            known,
            now -> Optional.of(edited).filter(any -> now.version() == known.version()),
            Step.Edited.body(payload, difference),
            new EventStore.Decider(by, clock.instant(), false)));
  }

  private ContrailException notEditable(DeadLetterId id, EntryState state) {
    return new ContrailException(
        "The dead letter "
            + id
            + " cannot be edited: "
            + EntryReplay.notOpen(
                state, Futures.get(events.find(EventAddress.step(id, state.lastStep()))))
            + ".");
  }
}
