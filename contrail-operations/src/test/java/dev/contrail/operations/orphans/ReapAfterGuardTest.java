package dev.contrail.operations.orphans;

import static dev.contrail.operations.orphans.Reaps.letters;
import static dev.contrail.operations.orphans.Reaps.reap;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.TestServer;
import dev.contrail.operations.guard.Guard;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.operations.stranded.Quay;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a guard's sweep has filed under nobody, since it could not tell which consumer gave up. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.stranded.Quay#servers")
class ReapAfterGuardTest {
  private final NatsServerBinary binary;
  private TestServer place;
  private Quay quay;

  ReapAfterGuardTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void sweep() throws Exception {
    place = TestServer.start(binary, Store.ADVISORIES);
    place.addStream("ORDERS", RetentionPolicy.Interest);
    quay = Quay.at(place.server.url(), "ORDERS", TestServer.NAMES.prefix());
    quay.durable("audit", 2);
    quay.durable("billing", 2);
    quay.publish("x", 1);
    quay.ackAll("audit");
    quay.giveUp("billing");
    quay.management.purgeStream(quay.names.advisoryStream());
    Guard.once(
        quay.connection, Quay.OPTIONS, quay.names, GuardOptions.DEFAULT, event -> {}, () -> false);
    assertThat(letters(quay)).extracting(DeadLetterId::consumer).containsExactly("_orphan");
  }

  @AfterEach
  void close() {
    quay.close();
    place.close();
  }

  @Test
  void is_not_filed_again_when_the_server_tells_who_it_was() throws Exception {
    advise();
    // While another waits for it, numbers do not tell of the first one.
    quay.publish("x", 1);
    quay.ackAll("audit");

    assertThat(reap(quay, Fate.DEAD_LETTER, Optional.empty()).reaped()).isEqualTo(1);

    assertThat(letters(quay)).extracting(DeadLetterId::consumer).containsExactly("_orphan");
    assertThat(quay.stored()).isEqualTo(1);
  }

  @Test
  void is_not_filed_again_when_only_one_can_have_given_up() throws Exception {
    quay.durable("audit", -1);
    assertThat(reap(quay, Fate.DEAD_LETTER, Optional.empty()).reaped()).isEqualTo(1);
    assertThat(letters(quay)).extracting(DeadLetterId::consumer).containsExactly("_orphan");
    assertThat(quay.stored()).isZero();
  }

  @Test
  void is_not_filed_again_after_a_purge() throws Exception {
    Decisions decisions =
        new Decisions(quay.connection, Quay.OPTIONS, quay.names, Provision.CREATE, "ann", true);
    DeadLetters all = new DeadLetters(quay.connection, Quay.OPTIONS, quay.names);
    DeadLetterId letter = letters(quay).get(0);
    assertThat(decisions.discard(letter, "of a test")).isEmpty();
    assertThat(decisions.purge(DeadLetterSummary.of(all.find(letter).orElseThrow()))).isEmpty();
    quay.durable("audit", -1);

    ReapReport report = reap(quay, Fate.DEAD_LETTER, Optional.empty());

    assertThat(report.reaped()).isZero();
    assertThat(report.left()).isEqualTo(1);
    assertThat(letters(quay)).isEmpty();
    assertThat(quay.stored()).isEqualTo(1);
  }

  private void advise() throws Exception {
    String json =
        """
        {"type":"io.nats.jetstream.advisory.v1.max_deliver","id":"1","timestamp":"%s",\
        "stream":"%s","consumer":"billing","stream_seq":1,"deliveries":2}\
        """
            .formatted(Instant.now(), quay.stream);
    quay.connection
        .jetStream()
        .publish(
            "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + quay.stream + ".billing",
            json.getBytes(UTF_8));
  }
}
