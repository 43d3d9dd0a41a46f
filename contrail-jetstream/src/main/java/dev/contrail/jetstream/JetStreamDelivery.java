package dev.contrail.jetstream;

import dev.contrail.Delivery;
import dev.contrail.Headers;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Step;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a handler is given. */
final class JetStreamDelivery<T> implements Delivery<T> {
  private final ConsumerIdentity identity;
  private final Run run;
  private final T payload;
  private final Headers headers;
  private final String incarnation;
  private final Optional<Step.Replay> replay;
  private @Nullable Instant deliveredAt;

  JetStreamDelivery(ConsumerIdentity identity, Run run, T payload, Headers headers) {
    this.identity = identity;
    this.run = run;
    this.payload = payload;
    this.headers = headers;
    // Not when asked for: the stream may be another by then.
    this.incarnation = identity.incarnation();
    this.replay =
        run.message().replay() instanceof CopyVerdict.MayRun copy
            ? Optional.of(copy.replay())
            : Optional.empty();
  }

  @Override
  public T payload() {
    return payload;
  }

  @Override
  public byte[] data() {
    return run.delivered().data();
  }

  @Override
  public Headers headers() {
    return headers;
  }

  @Override
  public String stream() {
    return identity.stream();
  }

  @Override
  public long sequence() {
    return run.message().sequence();
  }

  @Override
  public String subject() {
    return run.delivered().subject();
  }

  @Override
  public String consumer() {
    return identity.consumer();
  }

  @Override
  public long deliveryCount() {
    return run.deliveries();
  }

  @Override
  public Instant publishedAt() {
    return run.delivered().publishedAt();
  }

  @Override
  public Instant deliveredAt() {
    // Only when asked for: looking at the wall clock costs, and hardly anybody wants to know.
    Instant at = deliveredAt;
    if (at == null) {
      at = Instant.now().minusNanos(System.nanoTime() - run.delivered().arrivedNanos());
      deliveredAt = at;
    }
    return at;
  }

  @Override
  public String idempotencyKey() {
    return replay
        .map(ReplayCopy::idempotencyKey)
        .orElseGet(() -> stream() + "." + incarnation + "." + sequence());
  }

  @Override
  public String toString() {
    return identity.stream() + " " + sequence() + " (delivery " + deliveryCount() + ")";
  }
}
