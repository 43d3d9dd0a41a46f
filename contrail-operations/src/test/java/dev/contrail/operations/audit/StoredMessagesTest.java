package dev.contrail.operations.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.audit.AuditPlace#servers")
class StoredMessagesTest {
  private final NatsServerBinary binary;

  StoredMessagesTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void the_few_that_are_there_are_found_by_asking_for_no_others() throws Exception {
    try (AuditPlace place = AuditPlace.on(binary, RetentionPolicy.Limits)) {
      place.publish(2_000);
      SequenceSet kept = new SequenceSet();
      kept.add(3);
      kept.add(1_000, 1_002);
      kept.add(1_999);
      for (long sequence = 1; sequence <= 2_000; sequence++) {
        if (!kept.contains(sequence)) {
          place.management.deleteMessage(place.stream, sequence, false);
        }
      }
      StoredMessages messages =
          new StoredMessages(
              place.connection,
              AuditPlace.OPTIONS,
              new DeadLetterArchive(place.connection, AuditPlace.OPTIONS, place.names),
              place.stream);
      SequenceSet wanted = SequenceSet.of(2, 500);
      wanted.add(1_001, 1_500);
      wanted.add(1_990, 2_000);
      SequenceSet expected = new SequenceSet();
      expected.add(3);
      expected.add(1_001, 1_002);
      expected.add(1_999);

      long before = place.connection.getStatistics().getOutMsgs();
      assertThat(messages.there(wanted)).isEqualTo(expected);
      assertThat(place.connection.getStatistics().getOutMsgs() - before).isLessThan(12);
    }
  }
}
