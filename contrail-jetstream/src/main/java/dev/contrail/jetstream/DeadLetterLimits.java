package dev.contrail.jetstream;

import dev.contrail.evidence.Limits;
import io.nats.client.Connection;
import io.nats.client.api.*;
import java.time.Duration;
import java.util.function.Supplier;

final class DeadLetterLimits implements Supplier<Limits> {
  private final Connection c;

  DeadLetterLimits(Connection c) {
    this.c = c;
  }

  static DeadLetterLimits provisioned(Connection c, ConsumerOptions o) {
    try {
      var m = c.jetStreamManagement(o.jetStream);
      m.addStream(
          StreamConfiguration.builder()
              .name(o.names.deadLetterStream())
              .subjects(o.names.prefix() + ".dlq.>", o.names.prefix() + ".part.>")
              .discardPolicy(DiscardPolicy.New)
              .build());
      c.keyValueManagement()
          .create(
              KeyValueConfiguration.builder()
                  .name(o.names.retriesBucket())
                  .ttl(Duration.ofHours(25))
                  .build());
    } catch (Exception e) {
      throw new ContrailException(String.valueOf(e.getMessage()), e);
    }
    return new DeadLetterLimits(c);
  }

  @Override
  public Limits get() {
    return Limits.ofMessages(c.getMaxPayload());
  }
}
