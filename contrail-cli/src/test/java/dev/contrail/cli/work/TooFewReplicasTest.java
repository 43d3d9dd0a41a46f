package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.ContrailException;
import org.junit.jupiter.api.Test;

final class TooFewReplicasTest {
  @Test
  void the_flag_is_not_named_where_it_would_not_be_enough() {
    assertThat(
            TooFewReplicas.of(
                new ContrailException(
                    "Stream CONTRAIL_DLQ is not fit for Contrail, since it discards the oldest when"
                        + " full [CT043], has too few replicas (1 instead of 3) [CT045]; mend it with: nats stream"
                        + " edit CONTRAIL_DLQ --discard=new --replicas=3")))
        .isEmpty();
    assertThat(TooFewReplicas.of(new ContrailException("Stream ORDERS does not exist"))).isEmpty();
  }
}
