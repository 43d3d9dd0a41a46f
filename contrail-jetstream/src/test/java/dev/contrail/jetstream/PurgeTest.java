package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes when records of one subject are purged, and what whoever reads all still gets. */
@OnEveryServer
class PurgeTest {
  private final NatsServerBinary binary;
  private Workplace workplace;
  private JetStreamApi api;
  private String records;

  PurgeTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits);
    api = new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions());
    records = workplace.stream + "-records";
    workplace.management.addStream(
        StreamConfiguration.builder().name(records).subjects(records + ".>").build());
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @Test
  void readers_of_all_subjects_miss_nothing_when_one_is_purged() throws Exception {
    workplace.management.addOrUpdateConsumer(
        records,
        ConsumerConfiguration.builder().durable("reader").ackPolicy(AckPolicy.None).build());
    JetStreamSubscription reader =
        workplace
            .connection
            .jetStream()
            .subscribe(null, PullSubscribeOptions.bind(records, "reader"));
    publish("barrier");
    publish("block");
    publish("block");
    publish("barrier");

    api.purge(records, records + ".barrier", Long.MAX_VALUE).join();

    assertThat(reader.fetch(2, Workplace.SOON))
        .extracting(Message::getSubject)
        .containsExactly(records + ".block", records + ".block");
  }

  @Test
  void what_is_below_the_place_goes_and_all_else_stays() throws Exception {
    publish("block");
    publish("other");
    publish("block");
    publish("block");

    api.purge(records, records + ".block", 4).join();

    assertThat(api.next(records, records + ".block", 1).join().orElseThrow().sequence())
        .isEqualTo(4);
    assertThat(api.next(records, records + ".other", 1).join().orElseThrow().sequence())
        .isEqualTo(2);
  }

  private void publish(String token) throws Exception {
    workplace.connection.jetStream().publish(records + "." + token, new byte[0]);
  }
}
