package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValueUtils;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InitPlanTest {
  @Test
  void the_commands_create_every_stream_and_bucket() {
    assertThat(InitPlan.of(Names.DEFAULT).withReplicas(3).commands())
        .hasSize(Store.values().length)
        .contains(
            "nats stream add CONTRAIL_DLQ --subjects='contrail.dlq.>,contrail.part.>'"
                + " --storage=file --retention=limits --discard=new --max-age=-1 --max-msgs=-1"
                + " --max-msgs-per-subject=-1 --max-bytes=-1 --max-msg-size=-1 --dupe-window=2m"
                + " --no-allow-direct --replicas=3 --defaults",
            "nats kv add CONTRAIL_RETRIES --history=1 --ttl=25h --storage=file --replicas=3",
            "nats kv add CONTRAIL_WORKERS --history=1 --ttl=30s --storage=file --replicas=3",
            "nats kv add CONTRAIL_PAUSES --history=32 --storage=file --replicas=3",
            "nats kv add CONTRAIL_TOKENS --history=1 --storage=file --replicas=3");
  }

  @Test
  void the_json_holds_the_configurations_that_the_server_takes() throws Exception {
    InitPlan plan = InitPlan.of(new Names("acme")).withRetryWindow(Duration.ofHours(2));

    var streams = JsonValueUtils.readArray(JsonParser.parse(plan.json()), "streams");
    assertThat(streams)
        .extracting(stream -> StreamConfiguration.instance(stream.toJson()).getName())
        .containsExactly(
            "ACME_DLQ",
            "ACME_EVENTS",
            "ACME_LEDGER",
            "ACME_ADVISORIES",
            "KV_ACME_LEASES",
            "KV_ACME_RETRIES",
            "KV_ACME_WORKERS",
            "KV_ACME_PAUSES",
            "KV_ACME_TOKENS");
    assertThat(StreamConfiguration.instance(streams.get(5).toJson()).getMaxAge())
        .isEqualTo(Duration.ofHours(3));
  }

  @Test
  void replicas_that_no_server_takes_are_refused() {
    assertThatThrownBy(() -> InitPlan.of(Names.DEFAULT).withReplicas(6))
        .isInstanceOf(ContrailException.class)
        .hasMessage("Replicas are 1 to 5, not 6.");
  }

  @Test
  void a_worker_that_only_verifies_may_create_nothing_but_what_reads_its_ledger() {
    var permissions =
        WorkerPermissions.of(
            Names.DEFAULT,
            "ORDERS",
            "billing",
            Provision.VERIFY,
            JetStreamOptions.defaultOptions(),
            "_INBOX.");

    assertThat(permissions.publish())
        .containsExactly(
            "$JS.API.STREAM.INFO.ORDERS",
            "$JS.API.STREAM.MSG.GET.ORDERS",
            "$JS.API.CONSUMER.INFO.ORDERS.billing",
            "$JS.API.CONSUMER.MSG.NEXT.ORDERS.billing",
            "$JS.API.STREAM.INFO.CONTRAIL_DLQ",
            "$JS.API.STREAM.MSG.GET.CONTRAIL_DLQ",
            "$JS.API.STREAM.INFO.KV_CONTRAIL_RETRIES",
            "$JS.API.STREAM.MSG.GET.KV_CONTRAIL_RETRIES",
            "$JS.API.STREAM.INFO.CONTRAIL_LEDGER",
            "$JS.API.STREAM.MSG.GET.CONTRAIL_LEDGER",
            "$JS.API.STREAM.MSG.GET.CONTRAIL_EVENTS",
            "$JS.API.STREAM.MSG.GET.KV_CONTRAIL_PAUSES",
            "$JS.API.CONSUMER.CREATE.CONTRAIL_LEDGER.*.contrail.ledger.ORDERS.billing.>",
            "$JS.API.CONSUMER.MSG.NEXT.CONTRAIL_LEDGER.*",
            "$JS.API.STREAM.PURGE.CONTRAIL_LEDGER",
            "$JS.API.STREAM.MSG.DELETE.CONTRAIL_LEDGER",
            "$JS.ACK.ORDERS.billing.>",
            "$JS.ACK.*.*.ORDERS.billing.>",
            "contrail.dlq.ORDERS.billing.>",
            "contrail.part.ORDERS.billing.>",
            "contrail.ledger.ORDERS.billing.>",
            "contrail.event.*.*.*.*.run.*.*",
            "contrail.event.*.*.*.*.outcome.*",
            "contrail.event.*.*.*.*.skipped.*.ORDERS.billing.*",
            "$KV.CONTRAIL_RETRIES.ORDERS.billing.>",
            "$KV.CONTRAIL_WORKERS.ORDERS.billing.*");
    assertThat(permissions.subscribe())
        .containsExactly("_INBOX.>", "$KV.CONTRAIL_PAUSES.ORDERS", "$KV.CONTRAIL_PAUSES.ORDERS.>");
  }

  @Test
  void a_domain_changes_the_subjects_of_the_api() {
    var permissions =
        WorkerPermissions.of(
            Names.DEFAULT,
            "ORDERS",
            "billing",
            Provision.CREATE,
            JetStreamOptions.builder().domain("hub").build(),
            "_INBOX_ann");

    assertThat(permissions.publish())
        .contains(
            "$JS.hub.API.STREAM.CREATE.CONTRAIL_DLQ",
            "$JS.API.STREAM.CREATE.CONTRAIL_DLQ",
            "$JS.ACK.ORDERS.billing.>",
            "$JS.ACK.*.*.ORDERS.billing.>");
    assertThat(permissions.subscribe()).first().isEqualTo("_INBOX_ann.>");
  }

  @Test
  void a_prefix_of_the_account_replaces_the_subjects_of_the_api() {
    var permissions =
        WorkerPermissions.of(
            Names.DEFAULT,
            "ORDERS",
            "billing",
            Provision.CREATE,
            JetStreamOptions.builder().prefix("js.acme").build(),
            "_INBOX.");

    assertThat(permissions.publish())
        .contains("js.acme.STREAM.CREATE.CONTRAIL_DLQ")
        .noneMatch(subject -> subject.startsWith("$JS.API."));
  }
}
