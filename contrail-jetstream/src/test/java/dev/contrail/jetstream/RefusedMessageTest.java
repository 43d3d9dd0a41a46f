package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.Handler;
import dev.contrail.RejectedMessageException;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ConsumerNotice.Kind;
import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.KeyValue;
import io.nats.client.api.KeyValueEntry;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A message whose dead letter cannot be read or stored is held alone; all others die as usual. */
@OnEveryServer
class RefusedMessageTest {
  private static final int OTHERS = 50;
  private static final Handler<byte[]> REJECT_ALL =
      delivery -> {
        throw new RejectedMessageException("told to");
      };

  private final NatsServerBinary binary;
  private final List<ConsumerNotice> notices = new CopyOnWriteArrayList<>();
  private Workplace workplace;

  RefusedMessageTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
    workplace.provision();
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @Test
  void evidence_of_a_newer_release_under_its_id_holds_one_message_and_no_other() throws Exception {
    workplace.publish(OTHERS + 1, "reject");
    DeadLetterId id = id(OTHERS / 2);
    long planted = plantNewerEvidence(id);

    try (ContrailConsumer consumer = start()) {
      assertOneIsHeldAlone(consumer);
      assertThat(refusal())
          .isEqualTo(
              "message %d, delivery 1, is held, and tried again by itself, because of its dead"
                      .formatted(id.sequence())
                  + " letter: The dead letter %s cannot be read: it was written by a newer release"
                      .formatted(id)
                  + " (evidence version 99, this one reads up to 1).");

      workplace.management.deleteMessage(workplace.names.deadLetterStream(), planted);
      workplace.awaitEmpty();
    }
    assertThat(workplace.deadLetter(id).death().deliveries()).as("held, not returned").isEqualTo(1);
  }

  @Test
  void a_dead_letter_larger_than_its_stream_takes_holds_one_message_and_no_other()
      throws Exception {
    try (ContrailConsumer consumer = start()) {
      limitMessages(50_000);
      long large = workplace.publish("x".repeat(100_000));
      workplace.publish(OTHERS, "reject");
      assertOneIsHeldAlone(consumer);
      assertThat(refusal()).contains("message " + large + ",", "(10054)");

      await()
          .atMost(Workplace.SOON)
          .untilAsserted(
              () ->
                  assertThat(holds())
                      .singleElement()
                      .isEqualTo("the dead letter of message " + large));

      limitMessages(-1);
      workplace.awaitEmpty();
      assertThat(workplace.deadLetter(id(large)).death().deliveries()).isEqualTo(1);
      await().atMost(Workplace.SOON).until(() -> holds().isEmpty());
      assertThat(notices)
          .filteredOn(it -> it.kind() == Kind.REFUSED_NO_MORE)
          .singleElement()
          .satisfies(it -> assertThat(it.text()).contains("message " + large + ","));
    }
  }

  @Test
  void a_redelivered_message_under_whose_id_lies_newer_evidence_is_not_run() throws Exception {
    workplace.publish("reject");
    workplace.deliver().nak();
    long planted = plantNewerEvidence(id(1));

    try (ContrailConsumer consumer = start()) {
      await().atMost(Workplace.SOON).until(() -> consumer.status().held() == 1);
      assertThat(refusal()).contains("message 1, delivery 2,", "newer release");
      assertThat(notices).extracting(ConsumerNotice::kind).containsOnly(Kind.REFUSED);

      workplace.management.deleteMessage(workplace.names.deadLetterStream(), planted);
      workplace.awaitEmpty();
    }
    assertThat(workplace.deadLetter(id(1)).death().deliveries()).isEqualTo(2);
  }

  private ContrailConsumer start() {
    return workplace.consumer().onNotice(notices::add).handler(REJECT_ALL).start();
  }

  private void assertOneIsHeldAlone(ContrailConsumer consumer) {
    await().atMost(Workplace.SOON).until(() -> consumer.status().counts().dead() == OTHERS);
    await().atMost(Workplace.SOON).until(() -> workplace.messages() == 1);
    // Longer than AckWait and than the first wait, so that it is extended and refused again.
    await()
        .during(Duration.ofMillis(2_500))
        .atMost(Workplace.SOON)
        .until(() -> consumer.status().held() == 1);
    assertThat(notices)
        .extracting(ConsumerNotice::kind)
        .containsOnly(Kind.DEAD, Kind.REFUSED)
        .containsOnlyOnce(Kind.REFUSED);
  }

  /** What the worker tells operators that it waits for. */
  private List<String> holds() throws Exception {
    KeyValue reports = workplace.connection.keyValue(workplace.names.workersBucket());
    List<String> holds = new ArrayList<>();
    for (String key : reports.keys()) {
      KeyValueEntry entry = reports.get(key);
      if (entry != null && key.startsWith(workplace.stream + ".")) {
        WorkerReport.decode(entry.getValue()).holds().forEach(it -> holds.add(it.what()));
      }
    }
    return holds;
  }

  private String refusal() {
    return notices.stream()
        .filter(notice -> notice.kind() == Kind.REFUSED)
        .findFirst()
        .orElseThrow()
        .text();
  }

  private long plantNewerEvidence(DeadLetterId id) throws Exception {
    return workplace
        .connection
        .jetStream()
        .publish(
            id.subject(workplace.names.prefix()),
            new Headers().add("Contrail-Evidence-Version", "99"),
            new byte[0])
        .getSeqno();
  }

  private void limitMessages(int largest) throws Exception {
    StreamConfiguration now =
        workplace.management.getStreamInfo(workplace.names.deadLetterStream()).getConfiguration();
    workplace.management.updateStream(
        StreamConfiguration.builder(now).maximumMessageSize(largest).build());
  }

  private DeadLetterId id(long sequence) {
    return new DeadLetterId(workplace.stream, "worker", workplace.incarnation(), sequence);
  }
}
