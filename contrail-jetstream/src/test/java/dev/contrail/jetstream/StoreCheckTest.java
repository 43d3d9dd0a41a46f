package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreCheckTest {
  private static final int MAX_PAYLOAD = 1024 * 1024;
  private static final InitPlan PLAN = InitPlan.of(Names.DEFAULT);

  private static Optional<String> complaint(
      Store store, UnaryOperator<StreamConfiguration.Builder> change) {
    StreamConfiguration wanted = PLAN.configuration(store, 1);
    StreamConfiguration found = change.apply(StreamConfiguration.builder(wanted)).build();
    return StoreCheck.complaint(store, wanted, found, MAX_PAYLOAD);
  }

  @Test
  void what_was_created_by_the_plan_is_fit() {
    for (Store store : Store.values()) {
      assertThat(complaint(store, same -> same)).as(store.name()).isEmpty();
    }
  }

  @Test
  void limits_in_size_and_more_replicas_are_fine() {
    assertThat(
            complaint(
                Store.DEAD_LETTERS,
                stream ->
                    stream
                        .maxBytes(1_000_000)
                        .maximumMessageSize(MAX_PAYLOAD)
                        .subjects("contrail.>")
                        .replicas(3)))
        .isEmpty();
  }

  @Test
  void all_that_can_be_mended_is_told_with_one_command() {
    assertThat(
            complaint(
                Store.DEAD_LETTERS,
                stream ->
                    stream
                        .subjects("contrail.dlq.>")
                        .discardPolicy(DiscardPolicy.Old)
                        .maxAge(Duration.ofDays(7))
                        .maxMessagesPerSubject(1)
                        .maximumMessageSize(1000)
                        .noAck(true)))
        .contains(
            "Stream CONTRAIL_DLQ is not fit for Contrail, since it does not keep contrail.part.>"
                + " [CT041], discards the oldest when full [CT043], deletes what is older than"
                + " 168h [CT043], keeps only 1 for a subject [CT043], takes messages of 1000 bytes"
                + " only, while the server takes 1048576 [CT044], does not confirm what it stored"
                + " [CT041]; mend it with: nats stream edit"
                + " CONTRAIL_DLQ --subjects='contrail.dlq.>,contrail.part.>' --discard=new"
                + " --max-age=0s --max-msgs-per-subject=-1 --max-msg-size=-1 --ack");
  }

  @Test
  void what_cannot_be_changed_must_be_made_anew() {
    assertThat(
            complaint(
                Store.LEDGER,
                stream ->
                    stream
                        .retentionPolicy(RetentionPolicy.WorkQueue)
                        .storageType(StorageType.Memory)))
        .contains(
            "Stream CONTRAIL_LEDGER is not fit for Contrail, since it is kept in memory, so a"
                + " restart of the server loses it [CT042], has retention workqueue, so a consumer's"
                + " ack deletes what it holds [CT042]; that cannot be changed: save what it holds, remove it"
                + " with “nats stream rm CONTRAIL_LEDGER” and run “contrail init”");
  }

  @Test
  void notes_on_retries_must_outlive_the_retry_window() {
    assertThat(complaint(Store.RETRIES, bucket -> bucket.maxAge(Duration.ofHours(1))))
        .hasValueSatisfying(
            sentence ->
                assertThat(sentence)
                    .contains("forgets after 1h, before the retry window is over")
                    .endsWith("nats stream edit KV_CONTRAIL_RETRIES --max-age=25h"));
    assertThat(complaint(Store.RETRIES, bucket -> bucket.maxAge(Duration.ZERO))).isEmpty();
  }

  @Test
  void leases_must_end() {
    assertThat(complaint(Store.LEASES, bucket -> bucket.maxAge(Duration.ZERO)))
        .hasValueSatisfying(sentence -> assertThat(sentence).endsWith("--max-age=30s"));
  }

  @Test
  void fewer_replicas_than_asked_for_are_too_few() {
    StreamConfiguration found = PLAN.configuration(Store.DEAD_LETTERS, 1);
    StreamConfiguration wanted = PLAN.configuration(Store.DEAD_LETTERS, 3);

    assertThat(StoreCheck.complaint(Store.DEAD_LETTERS, wanted, found, MAX_PAYLOAD))
        .contains(
            "Stream CONTRAIL_DLQ is not fit for Contrail, since it has too few replicas"
                + " (1 instead of 3) [CT045]; mend it with: nats stream edit CONTRAIL_DLQ --replicas=3");
  }

  @ParameterizedTest
  @CsvSource({
    "contrail.dlq.>, contrail.dlq.>, true",
    "contrail.>, contrail.dlq.>, true",
    ">, contrail.dlq.>, true",
    "contrail.*.>, contrail.dlq.>, true",
    "contrail.*, contrail.dlq, true",
    "contrail.*, contrail.>, false",
    "contrail.dlq.*, contrail.dlq.>, false",
    "contrail.dlq.>, contrail.dlq, false",
    "contrail.dlq, contrail.dlq.>, false",
    "contrail.part.>, contrail.dlq.>, false"
  })
  void one_subject_covers_another_as_the_server_matches_them(
      String outer, String inner, boolean covers) {
    assertThat(StoreCheck.covers(outer, inner)).isEqualTo(covers);
  }
}
