package dev.contrail.operations.orphans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.server.LeavingOut;
import dev.contrail.operations.stranded.Quay;
import dev.contrail.operations.stranded.StrandedMessages;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server that is away at the moment has is neither judged nor in the way of the rest. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.stranded.Quay#servers")
class PartOfAClusterTest {
  private final NatsServerBinary binary;

  PartOfAClusterTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void nothing_is_taken_while_a_stream_is_away_that_may_copy_it() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue);
        LeavingOut cluster = new LeavingOut(quay.connection, "STREAM.LIST", "ARCHIVE")) {
      quay.publish("b", 5);
      Reaps.prepare(quay);
      ReapPlan plan = Reaps.plan(quay, Duration.ZERO, Fate.DELETE, Optional.empty(), true);

      assertThatThrownBy(
              () ->
                  reaper(quay)
                      .reap(
                          plan,
                          Reaps.real(quay),
                          System::nanoTime,
                          () -> true,
                          () -> false,
                          (done, of) -> {}))
          .isInstanceOf(ContrailException.class)
          .hasMessageContaining("ARCHIVE, which may copy from others");
      assertThat(quay.stored()).isEqualTo(5);
      assertThat(Reaps.letters(quay)).isEmpty();
      assertThat(scan(quay, List.of(quay.stream)).notJudged())
          .extracting(OrphanScan.NotJudged::stream)
          .containsExactly("ARCHIVE");
    }
  }

  @Test
  void the_last_look_sees_that_a_stream_is_away_too() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue);
        LeavingOut cluster = new LeavingOut(quay.connection, "STREAM.LIST", "ARCHIVE")) {
      assertThatThrownBy(() -> stranded(quay).readers(quay.stream))
          .isInstanceOf(ContrailException.class)
          .hasMessageContaining("ARCHIVE");
    }
  }

  @Test
  void a_sweep_judges_nothing_while_a_stream_is_away_that_may_copy_it() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue);
        LeavingOut cluster = new LeavingOut(quay.connection, "STREAM.LIST", "ARCHIVE")) {
      quay.durable("strict", 1);
      quay.publish("x", 2);
      quay.giveUp("strict");
      assertThat(quay.look()).isNotEmpty();
      JetStreamServer server = new JetStreamServer(quay.connection, LeavingOut.OPTIONS);
      assertThatThrownBy(() -> stranded(quay).in(quay.stream, server.listedStreams()))
          .isInstanceOf(ContrailException.class)
          .hasMessageContaining("ARCHIVE");
    }
  }

  @Test
  void a_stream_of_which_a_consumer_is_away_does_not_keep_others_from_being_judged()
      throws Exception {
    try (Quay whole = Quay.on(binary, RetentionPolicy.WorkQueue);
        Quay partly = Quay.on(binary, RetentionPolicy.WorkQueue);
        LeavingOut cluster =
            new LeavingOut(whole.connection, "CONSUMER.LIST." + partly.stream, "billing")) {
      partly.publish("b", 1);
      whole.publish("b", 3);

      OrphanScan.Result result = scan(whole, List.of(partly.stream, whole.stream));

      assertThat(result.orphans())
          .singleElement()
          .satisfies(it -> assertThat(it.stream()).isEqualTo(whole.stream));
      assertThat(result.notJudged())
          .singleElement()
          .satisfies(
              it -> {
                assertThat(it.stream()).isEqualTo(partly.stream);
                assertThat(it.why()).contains("billing");
              });

      Reaps.prepare(whole);
      ReapPlan plan =
          new ReapPlan(
              List.of(partly.stream, whole.stream),
              Duration.ZERO,
              Reaps.BOTH,
              Fate.DEAD_LETTER,
              Optional.empty(),
              Optional.empty(),
              true);
      ReapReport report =
          reaper(whole)
              .reap(
                  plan,
                  Reaps.real(whole),
                  System::nanoTime,
                  () -> true,
                  () -> false,
                  (done, of) -> {});
      assertThat(report.reaped()).isEqualTo(3);
      assertThat(report.notJudged())
          .extracting(OrphanScan.NotJudged::stream)
          .containsExactly(partly.stream);
      assertThat(partly.stored()).isEqualTo(1);
    }
  }

  private static OrphanScan.Result scan(Quay quay, List<String> streams) throws Exception {
    return new OrphanScan(quay.connection, LeavingOut.OPTIONS, quay.names)
        .scan(new OrphanScan.Wanted(streams, Duration.ofDays(1), false), Instant.now());
  }

  private static StrandedMessages stranded(Quay quay) {
    return new StrandedMessages(
        new JetStreamServer(quay.connection, LeavingOut.OPTIONS),
        new StreamMessages(quay.connection, LeavingOut.OPTIONS));
  }

  private static Reaper reaper(Quay quay) {
    return new Reaper(
        quay.connection, LeavingOut.OPTIONS, quay.names, Provision.CREATE, "test@host");
  }
}
