package dev.contrail.jetstream;

import dev.contrail.Delivery;
import dev.contrail.Headers;
import dev.contrail.event.ReplayCopy;
import java.time.Instant;

/** What a handler is given. */
final class JetStreamDelivery<T> implements Delivery<T> {
  private final ConsumerIdentity identity;
  private final Run run;
  private final T payload;
  private final Headers headers;
  private final String idempotencyKey;

  JetStreamDelivery(ConsumerIdentity identity, Run run, T payload, Headers headers) {
    this.identity = identity;
    this.run = run;
    this.payload = payload;
    this.headers = headers;
    // Not when asked for: the stream may be another by then.
    this.idempotencyKey =
        run.message().replay() instanceof CopyVerdict.MayRun copy
            ? ReplayCopy.idempotencyKey(copy.replay())
            : identity.idempotencyKey(run.message().sequence());
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
    return run.delivered().message().getSubject();
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
    return Instant.ofEpochMilli(run.delivered().arrived().epochMillis());
  }

  @Override
  public String idempotencyKey() {
    return idempotencyKey;
  }

  @Override
  public String toString() {
    return identity.stream() + " " + sequence() + " (delivery " + deliveryCount() + ")";
  }
}
