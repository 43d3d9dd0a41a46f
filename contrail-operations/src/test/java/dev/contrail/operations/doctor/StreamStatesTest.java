package dev.contrail.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.Names;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams and consumers as the console lists them, on real servers. */
class StreamStatesTest {
  static List<NatsServerBinary> servers() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  @ParameterizedTest
  @MethodSource("servers")
  void what_came_again_between_two_looks_is_a_rate(NatsServerBinary binary) throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start();
        Connection connection = Contrail.connect(server.url())) {
      connection
          .jetStreamManagement()
          .addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
      for (String name : List.of("all", "quiet", "some")) {
        ConsumerConfiguration.Builder consumer = ConsumerConfiguration.builder().durable(name);
        if (name.equals("some")) {
          consumer.filterSubject("orders.b");
        }
        connection.jetStreamManagement().addOrUpdateConsumer("ORDERS", consumer.build());
      }
      StreamStates states =
          new StreamStates(
              connection, JetStreamOptions.defaultOptions(), new Names("contrail"), Duration.ZERO);
      assertThat(states.list(10).get(0).consumers())
          .allSatisfy(it -> assertThat(it.redeliveries()).as("the first look").isEmpty());

      for (String subject : List.of("a", "a", "a", "b")) {
        connection.jetStream().publish("orders." + subject, new byte[] {1});
      }
      deliver(connection, "all", 4, 3);
      deliver(connection, "some", 1, 6);

      List<StreamStates.OfConsumer> again = states.list(10).get(0).consumers();
      RedeliveryRate all = rate(again, "all").orElseThrow();
      assertThat(all.count()).as("4 messages came three times each").isEqualTo(8);
      assertThat(all.atLeast()).isFalse();
      assertThat(all.perSecond())
          .isCloseTo(8 / (all.over().toNanos() / 1e9), within(0.001))
          .isPositive();
      RedeliveryRate some = rate(again, "some").orElseThrow();
      assertThat(some.count()).as("it came six times, past three others").isEqualTo(2);
      assertThat(some.atLeast()).isTrue();
      assertThat(rate(again, "quiet").orElseThrow().count()).isZero();
    }
  }

  private static Optional<RedeliveryRate> rate(
      List<StreamStates.OfConsumer> consumers, String name) {
    return consumers.stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow()
        .redeliveries();
  }

  private static void deliver(Connection connection, String consumer, int messages, int times)
      throws Exception {
    JetStreamSubscription pull =
        connection.jetStream().subscribe(null, PullSubscribeOptions.bind("ORDERS", consumer));
    for (int i = 0; i < times; i++) {
      List<Message> taken = pull.fetch(messages, Duration.ofSeconds(10));
      assertThat(taken).hasSize(messages);
      for (Message message : taken) {
        if (i == times - 1) {
          message.ack();
        } else {
          message.nak();
        }
      }
      connection.flush(Duration.ofSeconds(10));
    }
    pull.unsubscribe();
  }
}
