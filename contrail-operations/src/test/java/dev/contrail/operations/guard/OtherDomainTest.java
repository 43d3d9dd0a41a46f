package dev.contrail.operations.guard;

import static dev.contrail.operations.TestServer.NAMES;
import static dev.contrail.operations.TestServer.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.operations.orphans.OrphanScan;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import dev.contrail.server.NatsServerBuilder;
import io.nats.client.Message;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Leaf nodes pass on the advisories of their own JetStream domain, and streams there often have the
 * names of those at the hub.
 */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class OtherDomainTest {
  private final NatsServerBinary binary;

  OtherDomainTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @ParameterizedTest
  @EnumSource(
      value = RetentionPolicy.class,
      names = {"WorkQueue", "Interest", "Limits"})
  void what_is_given_up_on_in_another_domain_kills_nothing_here(RetentionPolicy retention)
      throws Exception {
    int port = freePort();
    String hubs = "leafnodes { listen: \"127.0.0.1:" + port + "\" }";
    String leafs = "leafnodes { remotes: [ { url: \"nats://127.0.0.1:" + port + "\" } ] }";
    try (Beat hub = Beat.on(server("hub").config(hubs));
        Beat leaf = Beat.on(server("leaf").config(leafs))) {
      for (Beat beat : List.of(hub, leaf)) {
        beat.place.management.addStream(
            StreamConfiguration.builder()
                .name("ORDERS")
                .subjects((beat == hub ? "hub" : "leaf") + ".>")
                .retentionPolicy(retention)
                .build());
        beat.durable("ORDERS", "billing", 1, Beat.FOR_EVER);
      }
      hub.publish("hub.orders", 1);
      leaf.publish("leaf.orders", 1);
      assertThat(hub.take("ORDERS", "billing", 1)).as("runs at the hub").hasSize(1);
      leaf.giveUp("ORDERS", "billing", Message::nak, 1);
      await().atMost(Beat.SOON).until(() -> hub.advisories() == 1);

      // Acks have no domain, and those of leaf nodes reach the consumers here.
      leaf.options = GuardOptions.DEFAULT;
      GuardStatus there = leaf.guardOnce();
      GuardStatus here = hub.guardOnce();

      assertThat(there.buried()).isEqualTo(1);
      assertThat(here.advisories()).isEqualTo(1);
      assertThat(hub.letterIds()).isEmpty();
      assertThat(hub.stored("ORDERS")).isEqualTo(1);
      assertThat(orphans(hub)).isEmpty();
      assertThat(hub.told(GuardEvent.LeftAlone.class)).isEmpty();
      assertThat(hub.told(GuardEvent.OtherDomain.class))
          .containsExactly(new GuardEvent.OtherDomain("ORDERS", "leaf"));
      assertThat(advisories(hub).otherDomain()).isEqualTo(1);
      hub.told.clear();
      hub.rehearse();
      assertThat(hub.told(GuardEvent.WouldBury.class)).isEmpty();
    }
  }

  /** A server that was given a domain has said what it said before without one. */
  @ParameterizedTest
  @EnumSource(
      value = RetentionPolicy.class,
      names = {"WorkQueue", "Interest"})
  void what_was_given_up_on_before_there_was_a_domain_is_copied_and_kept(RetentionPolicy retention)
      throws Exception {
    try (Beat hub = Beat.on(server("hub"))) {
      hub.place.addStream("ORDERS", retention);
      hub.durable("ORDERS", "billing", 1, Beat.FOR_EVER);
      hub.publish("ORDERS.new", 1);
      assertThat(hub.take("ORDERS", "billing", 1)).hasSize(1);
      hub.advise("ORDERS", "billing", 1, 1, Instant.now());

      GuardStatus status = hub.guardOnce();

      assertThat(status.buried()).isEqualTo(1);
      assertThat(status.released()).isZero();
      assertThat(hub.letterIds()).hasSize(1);
      assertThat(hub.stored("ORDERS")).isEqualTo(1);
      assertThat(hub.told(GuardEvent.LeftAlone.class))
          .extracting(GuardEvent.LeftAlone::why)
          .containsExactly("its server names another JetStream domain than the advisory");
      assertThat(advisories(hub).otherDomain()).isEqualTo(1);
    }
  }

  private static List<?> orphans(Beat beat) throws Exception {
    return scan(beat).orphans();
  }

  private static OrphanScan.Advisories advisories(Beat beat) throws Exception {
    return scan(beat).advisories();
  }

  private static OrphanScan.Result scan(Beat beat) throws Exception {
    return new OrphanScan(beat.place.connection, OPTIONS, NAMES)
        .scan(new OrphanScan.Wanted(List.of("ORDERS"), Duration.ofHours(1), true), Instant.now());
  }

  private NatsServerBuilder server(String domain) {
    return NatsServer.builder().binary(binary).jetStreamConfig("domain: " + domain);
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
