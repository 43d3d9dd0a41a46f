package dev.contrail.engine;

import dev.contrail.evidence.Reason;
import java.util.List;
import java.util.Optional;

/** Finds out what must be known of a message before it may run: is it completed, dead, a killer? */
final class Checks<M> {
  private final long deliveryLimit;
  private final Deliveries<M> deliveries;
  private final Stores<M> stores;
  private final Completions<M> completions;
  private final Verdicts<M> verdicts;
  private final Starts<M> starts;
  private final Runs<M> runs;

  Checks(
      long deliveryLimit,
      Deliveries<M> deliveries,
      Stores<M> stores,
      Completions<M> completions,
      Verdicts<M> verdicts,
      Starts<M> starts,
      Runs<M> runs) {
    this.deliveryLimit = deliveryLimit;
    this.deliveries = deliveries;
    this.stores = stores;
    this.completions = completions;
    this.verdicts = verdicts;
    this.starts = starts;
    this.runs = runs;
  }

  void begin(InFlight<M> message, Now now) {
    // Of every delivery: servers that lost their acks deliver as if for the first time.
    completions.lookUp(message);
    boolean straightBack = deliveries.memory().comesStraightBack(message);
    if (message.deliveries() > 1 && !straightBack) {
      stores.lookUp(message);
    }
    if (message.deliveries() > deliveryLimit
        && !straightBack
        && !stores.isTakingBack(message.sequence())) {
      stores.readNote(message);
    }
    goOnIfChecked(message, now);
  }

  /** Whether the ledger says that it is completed, asked of it in this batch. */
  void completionChecked(InFlight<M> message, List<InFlight<M>> batch, boolean completed, Now now) {
    if (!completions.heard(message, batch, now)) {
      return;
    }
    if (message.is(DeliveryState.STARTING) || message.is(DeliveryState.RUNNING)) {
      starts.lookedUpAgain(message, completed, now);
    } else if (completed) {
      deliveries.ackUnrun(message, now);
    } else if (message.is(DeliveryState.BURYING)) {
      stores.bury(message);
    } else {
      goOnIfChecked(message, now);
    }
  }

  void deadLetterChecked(InFlight<M> message, boolean found, Now now) {
    if (!stores.lookedUp(message)) {
      return;
    }
    if (found) {
      deliveries.terminate(message, now);
    } else {
      goOnIfChecked(message, now);
    }
  }

  void noteRead(InFlight<M> message, Optional<RunNote> note, Now now) {
    if (!stores.noteRead(message)) {
      return;
    }
    RunNote.Kind kind = note.map(RunNote::kind).orElse(RunNote.Kind.ENDED);
    if (kind == RunNote.Kind.STARTED_ALONE) {
      message.condemn(
          Reason.DELIVERY_LIMIT, new NoOutcomeException(note.orElseThrow().deliveries()));
    }
    message.mustRunAlone = kind == RunNote.Kind.STARTED_IN_COMPANY;
    goOnIfChecked(message, now);
  }

  private void goOnIfChecked(InFlight<M> message, Now now) {
    boolean checked =
        !message.completionPending && !message.lookUpPending && !message.noteReadPending;
    if (!checked || !deliveries.stillOurs(message, now)) {
      return;
    }
    if (message.isCondemned()) {
      verdicts.bury(message);
    } else if (!runs.failIfStuck(message, now)) {
      starts.ready(message);
    }
  }
}
