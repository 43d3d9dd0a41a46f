package dev.contrail.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.operations.doctor.Survey.SurveyedStream;
import io.nats.client.api.RetentionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownLossesTest {
  private static SurveyedStream stream(RetentionPolicy retention, int replicas, int maxDeliver) {
    return Chart.stream(
        it -> it.retentionPolicy(retention).replicas(replicas),
        Chart.moment(0, 0, 1),
        Chart.consumer("billing", it -> it.maxDeliver(maxDeliver)));
  }

  @Test
  void what_nobody_has_tried_with_a_version_is_said() {
    assertThat(
            KnownLosses.notTried(Chart.survey("2.11.4", stream(RetentionPolicy.WorkQueue, 3, 5))))
        .contains(
            "CT050, whether nats-server 2.11.4 deletes from replicated workqueues what exhausted"
                + " MaxDeliver, as 2.10.27 does and 2.15.1 does not: not tried with this version;"
                + " it concerns ORDERS/billing");
  }

  @ParameterizedTest
  @CsvSource({
    "2.9.10, WorkQueue, 3, 5, false",
    "2.10.27, WorkQueue, 3, 5, false",
    "2.11.0, WorkQueue, 3, 5, true",
    "2.11.0, WorkQueue, 1, 5, false",
    "2.11.0, WorkQueue, 3, -1, false",
    "2.11.0, Limits, 3, 5, false",
    "2.12.2, WorkQueue, 3, 5, true",
    "2.12.3, WorkQueue, 3, 5, false",
    "2.12.5, WorkQueue, 3, 5, true",
    "2.15.0, WorkQueue, 3, 5, true",
    "2.15.1, WorkQueue, 3, 5, false",
    "2.16.0, WorkQueue, 3, 5, false"
  })
  void only_where_it_would_matter_and_nothing_is_known(
      String version, RetentionPolicy retention, int replicas, int maxDeliver, boolean said) {
    assertThat(
            KnownLosses.notTried(Chart.survey(version, stream(retention, replicas, maxDeliver)))
                .isPresent())
        .isEqualTo(said);
  }

  @Test
  void a_version_that_cannot_be_read_is_said_to_be() {
    assertThat(KnownLosses.notTried(Chart.survey("nightly")))
        .contains("CT050, which losses nats-server nightly is known for: not a version x.y.z");
  }
}
