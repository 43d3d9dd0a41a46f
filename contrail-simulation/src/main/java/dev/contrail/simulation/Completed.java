package dev.contrail.simulation;

import dev.contrail.ledger.log.LedgerView;
import dev.contrail.simulation.model.Answer;
import dev.contrail.simulation.model.ModelServer;
import dev.contrail.simulation.model.StoredMessage;

/** What the ledger holds, read from its stream as an operator would. */
record Completed(LedgerView view) {
  private static final String STREAM = "CONTRAIL_LEDGER";
  private static final long NANOS_PER_MILLI = 1_000_000;

  static Completed read(ModelServer server) {
    LedgerView view = new LedgerView();
    long next = 1;
    while (server.nextMessage(STREAM, "contrail.ledger.>", next)
        instanceof Answer.Ok<StoredMessage> found) {
      StoredMessage record = found.value();
      String[] tokens = record.subject().split("\\.", 6);
      view.apply(
          record.sequence(), tokens[5], record.payload().bytes(), record.nanos() / NANOS_PER_MILLI);
      next = record.sequence() + 1;
    }
    return new Completed(view);
  }

  boolean contains(long sequence) {
    return view.completed(sequence, sequence) > 0;
  }
}
