package dev.contrail.operations.guard;

import dev.contrail.operations.stranded.ConsumerView;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerInfo;

/**
 * What matters of a consumer.
 *
 * @param acksAll whether one ack is one of all messages before it too
 */
record ConsumerFacts(ConsumerView view, boolean acksAll) {
  static ConsumerFacts of(ConsumerInfo info) {
    return new ConsumerFacts(
        ConsumerView.of(info), info.getConsumerConfiguration().getAckPolicy() == AckPolicy.All);
  }

  boolean isIdle() {
    return view.pending() == 0 && view.unacked() == 0;
  }
}
