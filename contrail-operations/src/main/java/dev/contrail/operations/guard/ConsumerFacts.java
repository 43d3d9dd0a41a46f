package dev.contrail.operations.guard;

import dev.contrail.operations.stranded.ConsumerView;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerInfo;
import java.time.Instant;
import java.util.Optional;

/**
 * What matters of a consumer.
 *
 * @param acksAll whether one ack is one of all messages before it too
 * @param setBack when it was seen to have been given less than before, if ever
 */
record ConsumerFacts(ConsumerView view, boolean acksAll, Optional<Instant> setBack) {
  static ConsumerFacts of(ConsumerInfo info) {
    return new ConsumerFacts(
        ConsumerView.of(info),
        info.getConsumerConfiguration().getAckPolicy() == AckPolicy.All,
        Optional.empty());
  }

  ConsumerFacts withSetBack(Optional<Instant> when) {
    return new ConsumerFacts(view, acksAll, when);
  }

  boolean isIdle() {
    return view.pending() == 0 && view.unacked() == 0;
  }
}
