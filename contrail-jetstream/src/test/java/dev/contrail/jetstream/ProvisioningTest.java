package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ProvisioningTest {
  private static final Set<Store> ALL = EnumSet.allOf(Store.class);
  private static final Set<Store> BUT_ADVISORIES =
      EnumSet.complementOf(EnumSet.of(Store.ADVISORIES));
  private static final Set<Store> DEAD_LETTERS = EnumSet.of(Store.DEAD_LETTERS);

  private static NatsServer server;
  private static Connection connection;

  @BeforeAll
  static void start() {
    server = NatsServer.start();
    connection = Contrail.connect(server.url());
  }

  @AfterAll
  static void end() throws InterruptedException {
    connection.close();
    server.close();
  }

  private static Provisioning provisioning(Connection to, String prefix, Provision provision) {
    return new Provisioning(
        to, JetStreamOptions.defaultOptions(), InitPlan.of(new Names(prefix)), provision);
  }

  private static Provisioning creating(String prefix) {
    return provisioning(connection, prefix, Provision.CREATE);
  }

  private static Provisioning verifying(String prefix) {
    return provisioning(connection, prefix, Provision.VERIFY);
  }

  private static StreamConfiguration stream(String name) throws Exception {
    return connection.jetStreamManagement().getStreamInfo(name).getConfiguration();
  }

  @Test
  void what_is_missing_is_created_once() throws Exception {
    assertThat(creating("once").ensure(ALL)).containsAll(BUT_ADVISORIES);
    assertThat(creating("once").ensure(ALL)).isEmpty();
    assertThat(verifying("once").ensure(ALL)).isEmpty();

    StreamConfiguration deadLetters = stream("ONCE_DLQ");
    assertThat(deadLetters.getSubjects()).containsExactly("once.dlq.>", "once.part.>");
    assertThat(deadLetters.getDiscardPolicy()).isEqualTo(DiscardPolicy.New);
    assertThat(deadLetters.getStorageType()).isEqualTo(StorageType.File);
    assertThat(deadLetters.getMaxAge()).isZero();
    assertThat(deadLetters.getReplicas()).isEqualTo(1);
    assertThat(connection.keyValue("ONCE_RETRIES").getStatus().getTtl())
        .isEqualTo(Duration.ofHours(25));
  }

  @Test
  void workers_that_start_together_create_it_together() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Callable<Set<Store>> start = () -> creating("together").ensure(BUT_ADVISORIES);
      for (Future<Set<Store>> started : threads.invokeAll(List.of(start, start, start, start))) {
        assertThat(BUT_ADVISORIES).containsAll(started.get());
      }
    } finally {
      threads.shutdown();
    }
    assertThat(verifying("together").ensure(BUT_ADVISORIES)).isEmpty();
  }

  @Test
  void a_missing_stream_or_bucket_is_named_when_none_may_be_created() {
    assertThatThrownBy(() -> verifying("absent").ensure(DEAD_LETTERS))
        .isInstanceOf(ContrailException.class)
        .hasMessage(
            "Stream ABSENT_DLQ is missing and may not be created here; “contrail init” creates it [CT040].");
    assertThatThrownBy(() -> verifying("absent").ensure(EnumSet.of(Store.RETRIES)))
        .isInstanceOf(ContrailException.class)
        .hasMessage(
            "Bucket ABSENT_RETRIES is missing and may not be created here;"
                + " “contrail init” creates it [CT040].");
  }

  @Test
  void a_stream_that_would_lose_evidence_is_refused_and_left_as_it_is() throws Exception {
    StreamConfiguration unsafe =
        StreamConfiguration.builder()
            .name("UNSAFE_DLQ")
            .subjects("unsafe.dlq.>", "unsafe.part.>")
            .discardPolicy(DiscardPolicy.Old)
            .maxAge(Duration.ofDays(7))
            .build();
    connection.jetStreamManagement().addStream(unsafe);

    for (Provisioning provisioning : List.of(creating("unsafe"), verifying("unsafe"))) {
      assertThatThrownBy(() -> provisioning.ensure(DEAD_LETTERS))
          .isInstanceOf(ContrailException.class)
          .hasMessage(
              "Stream UNSAFE_DLQ is not fit for Contrail, since it discards the oldest when full"
                  + " [CT043], deletes what is older than 168h [CT043]; mend it with: nats stream edit UNSAFE_DLQ"
                  + " --discard=new --max-age=0s");
    }
    assertThat(stream("UNSAFE_DLQ").getDiscardPolicy()).isEqualTo(DiscardPolicy.Old);
    assertThat(stream("UNSAFE_DLQ").getMaxAge()).isEqualTo(Duration.ofDays(7));
  }

  @Test
  void subjects_that_another_stream_keeps_are_named() throws Exception {
    connection
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name("TAKER").subjects("taken.>").build());

    assertThatThrownBy(() -> creating("taken").ensure(DEAD_LETTERS))
        .isInstanceOf(ContrailException.class)
        .hasMessage(
            "Stream TAKEN_DLQ cannot be created, since another stream keeps taken.dlq.> or"
                + " taken.part.> already; take them from it, or choose another prefix.");
  }

  @Test
  void advisories_can_be_kept_by_one_stream_of_an_account_only() {
    Set<Store> advisories = EnumSet.of(Store.ADVISORIES);
    creating("once").ensure(advisories);

    assertThatThrownBy(() -> creating("other").ensure(advisories))
        .isInstanceOf(ContrailException.class)
        .hasMessageStartingWith("Stream OTHER_ADVISORIES cannot be created")
        .hasMessageEndingWith("already, and only one can in an account.");
  }

  @Test
  void more_replicas_than_there_are_servers_are_refused_by_the_server() {
    Provisioning three =
        new Provisioning(
            connection,
            JetStreamOptions.defaultOptions(),
            InitPlan.of(new Names("three")).withReplicas(3),
            Provision.CREATE);

    assertThatThrownBy(() -> three.ensure(DEAD_LETTERS))
        .isInstanceOf(ContrailException.class)
        .hasMessageStartingWith(
            "The NATS server refuses to create stream THREE_DLQ with 3 replica(s): ");
  }

  @Test
  void a_server_without_jetstream_is_told_in_one_sentence() throws Exception {
    try (NatsServer bare = NatsServer.builder().jetStream(false).start();
        Connection toBare = Contrail.connect(bare.url())) {
      assertThatThrownBy(
              () -> provisioning(toBare, "contrail", Provision.CREATE).ensure(DEAD_LETTERS))
          .isInstanceOf(ContrailException.class)
          .hasMessage(
              "The NATS server at "
                  + bare.url()
                  + " has no JetStream for this account; start it with -js, or add a jetstream"
                  + " block to its configuration.");
    }
  }

  @Test
  void three_servers_keep_three_replicas_and_fewer_than_the_source_are_refused() throws Exception {
    try (NatsCluster cluster = NatsCluster.start();
        Connection toCluster = Contrail.connect(cluster.urls())) {
      assertThat(provisioning(toCluster, "big", Provision.CREATE).ensure(DEAD_LETTERS))
          .isEqualTo(DEAD_LETTERS);
      assertThat(
              toCluster
                  .jetStreamManagement()
                  .getStreamInfo("BIG_DLQ")
                  .getConfiguration()
                  .getReplicas())
          .isEqualTo(3);

      InitPlan single = InitPlan.of(new Names("small")).withReplicas(1);
      JetStreamOptions options = JetStreamOptions.defaultOptions();
      Provisioning small = new Provisioning(toCluster, options, single, Provision.CREATE);
      small.ensure(DEAD_LETTERS);
      assertThatThrownBy(() -> small.withAtLeastReplicas(3).ensure(DEAD_LETTERS))
          .isInstanceOf(ContrailException.class)
          .hasMessageContaining("too few replicas (1 instead of 3)")
          .hasMessageEndingWith("nats stream edit SMALL_DLQ --replicas=3");
    }
  }
}
