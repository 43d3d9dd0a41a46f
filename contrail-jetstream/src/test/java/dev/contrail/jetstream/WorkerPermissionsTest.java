package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.Options;
import io.nats.client.PublishOptions;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkerPermissionsTest {
  private static final Set<Store> NEEDED = EnumSet.of(Store.DEAD_LETTERS, Store.RETRIES);
  private static final JetStreamOptions PLAIN = JetStreamOptions.defaultOptions();

  private static NatsServer server(String permissions, String jetStreamConfig) {
    String config =
        """
        authorization {
          users = [
            { user: admin, password: admin }
            { user: worker, password: worker, %s }
          ]
        }
        """
            .formatted(permissions);
    return NatsServer.builder().config(config).jetStreamConfig(jetStreamConfig).start();
  }

  private static WorkerPermissions permissions(Provision provision, JetStreamOptions options) {
    return WorkerPermissions.of(
        Names.DEFAULT, "ORDERS", "billing", provision, options, Options.DEFAULT_INBOX_PREFIX);
  }

  private static Connection connect(NatsServer server, String user) {
    return Contrail.connect(Contrail.options(server.url()).userInfo(user, user).build());
  }

  private static Provisioning provisioning(
      Connection connection, JetStreamOptions options, Provision provision) {
    return new Provisioning(connection, options, InitPlan.of(Names.DEFAULT), provision);
  }

  private static ConsumerConfiguration consumer() {
    return ConsumerConfiguration.builder().durable("billing").build();
  }

  @ParameterizedTest
  @EnumSource(Provision.class)
  void a_worker_gets_by_with_its_permissions(Provision provision) throws Exception {
    try (NatsServer server = server(permissions(provision, PLAIN).config(), "");
        Connection admin = connect(server, "admin");
        Connection worker = connect(server, "worker")) {
      prepare(admin, PLAIN, provision);

      provisioning(worker, PLAIN, provision).ensure(NEEDED);
      work(worker, PLAIN, provision);

      assertThat(worker.getLastError()).isNull();
    }
  }

  @Test
  void a_worker_in_a_domain_gets_by_with_its_permissions() throws Exception {
    JetStreamOptions hub = JetStreamOptions.builder().domain("hub").build();
    try (NatsServer server = server(permissions(Provision.CREATE, hub).config(), "domain: hub");
        Connection admin = connect(server, "admin");
        Connection worker = connect(server, "worker")) {
      prepare(admin, hub, Provision.CREATE);

      provisioning(worker, hub, Provision.CREATE).ensure(NEEDED);
      work(worker, hub, Provision.CREATE);

      assertThat(worker.getLastError()).isNull();
    }
  }

  @Test
  void a_permission_that_is_missing_is_named() throws Exception {
    String verifyOnly = permissions(Provision.VERIFY, PLAIN).config();
    try (NatsServer server = server(verifyOnly, "");
        Connection worker = connect(server, "worker")) {
      assertThatThrownBy(() -> provisioning(worker, PLAIN, Provision.CREATE).ensure(NEEDED))
          .isInstanceOf(ContrailException.class)
          .hasMessage(
              "This user may not create stream CONTRAIL_DLQ (Permissions Violation for Publish to"
                  + " \"$JS.API.STREAM.CREATE.CONTRAIL_DLQ\"); “contrail init --print” lists the"
                  + " permissions that a worker needs.");
    }
  }

  @Test
  void an_inbox_that_may_not_be_subscribed_to_is_named() throws Exception {
    String publishOnly = "permissions: { publish: \">\", subscribe: \"orders.>\" }";
    try (NatsServer server = server(publishOnly, "");
        Connection worker = connect(server, "worker")) {
      assertThatThrownBy(() -> provisioning(worker, PLAIN, Provision.CREATE).ensure(NEEDED))
          .isInstanceOf(ContrailException.class)
          .hasMessageStartingWith(
              "This user may not look at stream CONTRAIL_DLQ (Permissions Violation for"
                  + " Subscription to \"_INBOX.");
    }
  }

  private static void prepare(Connection admin, JetStreamOptions options, Provision provision)
      throws Exception {
    JetStreamManagement management = admin.jetStreamManagement(options);
    management.addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
    if (provision == Provision.VERIFY) {
      provisioning(admin, options, Provision.CREATE).ensure(NEEDED);
      management.addOrUpdateConsumer("ORDERS", consumer());
    }
    admin.jetStream(options).publish("orders.new", Wire.bytes("order"));
  }

  /** What the runtime does: adopt or make the consumer, pull, write evidence, read it, ack. */
  private static void work(Connection worker, JetStreamOptions options, Provision provision)
      throws Exception {
    JetStreamManagement management = worker.jetStreamManagement(options);
    management.getStreamInfo("ORDERS");
    if (provision == Provision.CREATE) {
      management.addOrUpdateConsumer("ORDERS", consumer());
      management.addOrUpdateConsumer(
          "ORDERS", ConsumerConfiguration.builder(consumer()).filterSubject("orders.new").build());
    }
    management.getConsumerInfo("ORDERS", "billing");
    var pulls =
        worker.jetStream(options).subscribe(null, PullSubscribeOptions.bind("ORDERS", "billing"));
    Message message = pulls.fetch(1, Duration.ofSeconds(5)).get(0);
    String id = "ORDERS.billing.g2k3x9a1b.1";
    PublishOptions createOnce = PublishOptions.builder().expectedLastSubjectSequence(0).build();
    String part = DeadLetterId.parse(id).partSubject("contrail", 1, "0".repeat(64));
    worker.jetStream(options).publish(part, message.getData(), createOnce);
    worker.jetStream(options).publish("contrail.dlq." + id, message.getData(), createOnce);
    worker.jetStream(options).publish("$KV.CONTRAIL_RETRIES." + id, Wire.bytes("note"));
    assertThat(management.getLastMessage("CONTRAIL_DLQ", "contrail.dlq." + id).getData())
        .isEqualTo(message.getData());
    String lastNote = "{\"last_by_subj\":\"$KV.CONTRAIL_RETRIES." + id + "\"}";
    String getNote = options.getPrefix() + "STREAM.MSG.GET.KV_CONTRAIL_RETRIES";
    Message note = worker.request(getNote, Wire.bytes(lastNote), Duration.ofSeconds(5));
    assertThat(note).as("answer to %s", getNote).isNotNull();
    assertThat(new String(note.getData(), UTF_8)).contains("\"seq\":1");
    message.ackSync(Duration.ofSeconds(5));
  }
}
