package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerRulesTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static StreamConfiguration.Builder stream() {
    return StreamConfiguration.builder().name("ORDERS").subjects("orders.>");
  }

  private static List<Rule> rules(StreamConfiguration.Builder stream, boolean clustered) {
    return WorkerRules.ofStream(stream.build(), clustered, HOUR).stream()
        .map(Finding::rule)
        .toList();
  }

  @Test
  void a_sound_stream_has_no_findings() {
    assertThat(rules(stream().maxAge(HOUR), false)).isEmpty();
    assertThat(rules(stream().replicas(3), true)).isEmpty();
  }

  @Test
  void a_message_must_outlive_its_longest_wait() {
    assertThat(WorkerRules.ofStream(stream().maxAge(HOUR.minusSeconds(1)).build(), false, HOUR))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.rule()).isEqualTo(Rule.MAX_AGE_BELOW_RETRY);
              assertThat(finding.found()).contains("59m59s", "1h");
              assertThat(finding.mend()).containsExactly("nats stream edit ORDERS --max-age=2h");
            });
  }

  @Test
  void one_replica_is_too_few_only_in_a_cluster() {
    assertThat(rules(stream().replicas(1), true)).containsExactly(Rule.SINGLE_REPLICA);
    assertThat(rules(stream().replicas(1), false)).isEmpty();
  }

  @Test
  void memory_is_no_place_for_work() {
    assertThat(rules(stream().storageType(StorageType.Memory), false))
        .containsExactly(Rule.MEMORY_STREAM);
  }

  @ParameterizedTest
  @CsvSource({"30,,3600,3600", "7200,,3600,7200", "1,1;9000;5,3600,9000", "1,1;2,0,2"})
  void the_effective_ack_wait_is_the_longest_of_all(
      long ackWait, String backOff, long longestDelay, long expected) {
    ConsumerConfiguration.Builder consumer =
        ConsumerConfiguration.builder().ackWait(Duration.ofSeconds(ackWait));
    if (backOff != null) {
      consumer.backoff(
          Arrays.stream(backOff.split(";", -1))
              .map(step -> Duration.ofSeconds(Long.parseLong(step)))
              .toArray(Duration[]::new));
    }
    assertThat(WorkerRules.effectiveAckWait(consumer.build(), Duration.ofSeconds(longestDelay)))
        .isEqualTo(Duration.ofSeconds(expected));
  }

  @Test
  void codes_are_unique_and_never_out_of_order() {
    assertThat(Arrays.stream(Rule.values()).map(Rule::code).toList())
        .doesNotHaveDuplicates()
        .isSorted()
        .allMatch(code -> code.matches("CT\\d{3}"));
  }
}
