package dev.contrail.operations.audit;

import dev.contrail.ledger.SequenceSet;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import java.time.Duration;

/** Takes from what the server tells of a stream what an audit goes by. */
final class StreamFactsReader {
  private StreamFactsReader() {}

  static StreamFacts of(StreamInfo info, SequenceSet present) {
    StreamConfiguration how = info.getConfiguration();
    StreamState state = info.getStreamState();
    StreamFacts.Limits limits =
        new StreamFacts.Limits(
            how.getMaxAge() == null ? Duration.ZERO : how.getMaxAge(),
            how.getDiscardPolicy() != DiscardPolicy.New && isFull(how, state),
            how.getMaxMsgsPerSubject() > 0,
            how.getAllowMessageTtl());
    StreamFacts.Retention retention =
        switch (how.getRetentionPolicy()) {
          case WorkQueue -> StreamFacts.Retention.WORKQUEUE;
          case Interest -> StreamFacts.Retention.INTEREST;
          case Limits -> StreamFacts.Retention.LIMITS;
        };
    return new StreamFacts(
        info.getConfiguration().getName(),
        retention,
        info.getCreateTime().toInstant(),
        state.getMsgCount() == 0 ? state.getLastSequence() + 1 : state.getFirstSequence(),
        limits,
        present);
  }

  /** Whether one more message of the usual size would not fit. */
  private static boolean isFull(StreamConfiguration how, StreamState state) {
    long usual = state.getByteCount() / Math.max(1, state.getMsgCount());
    return (how.getMaxMsgs() > 0 && state.getMsgCount() >= how.getMaxMsgs())
        || (how.getMaxBytes() > 0 && state.getByteCount() + 2 * usual > how.getMaxBytes());
  }
}
