package dev.contrail.operations.audit;

import dev.contrail.ledger.SequenceSet;
import io.nats.client.api.StreamState;
import java.time.Instant;

/** Finds out when messages were published, from as few of them as can be. */
final class Publication {
  private final StoredMessages messages;
  private final SequenceSet present;
  private final Timeline timeline = new Timeline();

  Publication(StoredMessages messages, SequenceSet present, Known known, StreamState state) {
    this.messages = messages;
    this.present = present;
    known.ledgers().values().forEach(views -> views.forEach(it -> it.publishTimes(timeline::add)));
    if (state.getMsgCount() > 0) {
      timeline.add(state.getFirstSequence(), state.getFirstTime().toInstant());
    }
    if (state.getLastSequence() > 0 && state.getLastTime() != null) {
      timeline.add(state.getLastSequence(), state.getLastTime().toInstant());
    }
  }

  Timeline timeline() {
    return timeline;
  }

  /** The first message that may be from that time or after it. */
  long firstFrom(Instant time) throws InterruptedException {
    long low = 0;
    long high = present.count();
    while (low < high) {
      long middle = (low + high) >>> 1;
      long sequence = present.at(middle);
      boolean[] isBefore = {false};
      boolean[] isThere = {false};
      messages.read(
          SequenceSet.of(sequence, sequence),
          (one, subject, published) -> {
            timeline.add(one, published);
            isThere[0] = true;
            isBefore[0] = published.isBefore(time);
          },
          (done, of) -> {});
      // One that is gone meanwhile tells nothing; the search ends one message too early at most.
      if (!isThere[0]) {
        high--;
      } else if (isBefore[0]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return timeline.lastBefore(time).orElse(0) + 1;
  }
}
