package dev.contrail.jetstream;

import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a consumer is to be like on the server.
 *
 * @param filters the subjects it takes; none means all of the stream's
 * @param ackWait empty: 30 s on a consumer that is made, whatever it is on one that is there
 * @param maxAckPending on a consumer that is made; messages that wait for their retry count too
 * @param update whether an existing consumer may be changed to fit
 * @param policy how the worker treats its messages
 */
record ConsumerSettings(
    String stream,
    String name,
    List<String> filters,
    Optional<Duration> ackWait,
    long maxAckPending,
    boolean update,
    WorkerPolicy policy) {
  static final Duration DEFAULT_ACK_WAIT = Duration.ofSeconds(30);
  static final long DEFAULT_MAX_ACK_PENDING = 20_000;
}
