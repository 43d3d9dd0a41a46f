package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.ConsumerDifference.Severity;
import dev.contrail.policy.WorkerPolicy;
import io.nats.client.api.ConsumerConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConsumerDifferenceTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private static ConsumerSettings wanted(String... filters) {
    return new ConsumerSettings(
        "ORDERS",
        "worker",
        List.of(filters),
        Optional.of(Duration.ofSeconds(2)),
        20_000,
        false,
        WorkerPolicy.defaults(4));
  }

  @Test
  void a_consumer_as_contrail_makes_it_differs_in_nothing() {
    assertThat(ConsumerDifference.between(NOW, Oddity.sound().build(), wanted())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void an_oddity_is_found_and_its_meaning_told(Oddity oddity) {
    List<ConsumerDifference> found = ConsumerDifference.between(NOW, oddity.consumer(), wanted());

    assertThat(found)
        .filteredOn(difference -> difference.setting().equals(oddity.setting))
        .singleElement()
        .satisfies(
            difference -> {
              assertThat(difference.severity()).isEqualTo(oddity.severity);
              assertThat(difference.meaning()).contains(oddity.meaning);
              assertThat(difference)
                  .hasToString(
                      oddity.setting + " (" + difference.meaning() + ") " + oddity.rule.tag());
              assertThat(difference.rule()).isEqualTo(oddity.rule);
              assertThat(
                      difference.rule().severity() == dev.contrail.jetstream.doctor.Severity.WARN)
                  .as("only what is refused is an error for the doctor")
                  .isEqualTo(difference.severity() == Severity.NOTE);
            });
    assertThat(found)
        .filteredOn(difference -> !difference.setting().equals(oddity.setting))
        .allMatch(difference -> difference.severity() == Severity.NOTE);
  }

  @Test
  void all_oddities_of_a_consumer_are_found_at_once() {
    ConsumerConfiguration bad =
        Oddity.sound()
            .maxDeliver(3)
            .backoff(Duration.ofSeconds(1))
            .headersOnly(true)
            .maxAckPending(1)
            .build();

    assertThat(ConsumerDifference.between(NOW, bad, wanted()))
        .extracting(ConsumerDifference::setting)
        .containsExactlyInAnyOrder(
            "MaxDeliver is 3", "BackOff is 1s", "headers_only is on", "MaxAckPending is 1");
  }

  @Test
  void filters_are_compared_as_sets_and_only_when_some_are_asked_for() {
    ConsumerConfiguration none = Oddity.sound().build();
    ConsumerConfiguration both = Oddity.sound().filterSubjects("a", "b").build();

    assertThat(ConsumerDifference.between(NOW, both, wanted("b", "a"))).isEmpty();
    assertThat(ConsumerDifference.between(NOW, both, wanted()))
        .singleElement()
        .hasToString("it filters a, b (only that part of the stream is worked on) [CT009]");
    assertThat(ConsumerDifference.between(NOW, both, wanted("a")))
        .singleElement()
        .hasToString("it filters a, b (not a as asked for) [CT007]");
    assertThat(ConsumerDifference.between(NOW, none, wanted("a", "b")))
        .singleElement()
        .hasToString("it has no filter (not a, b as asked for) [CT007]");
  }

  @Test
  void without_a_wish_for_ack_wait_any_will_do() {
    ConsumerSettings noWish =
        new ConsumerSettings(
            "ORDERS", "worker", List.of(), Optional.empty(), 20_000, false, wanted().policy());

    assertThat(ConsumerDifference.between(NOW, Oddity.OTHER_ACK_WAIT.consumer(), noWish)).isEmpty();
  }

  @Test
  void more_acks_pending_than_contrail_would_set_and_no_limit_at_all_are_fine() {
    assertThat(
            ConsumerDifference.between(NOW, Oddity.sound().maxAckPending(20_001).build(), wanted()))
        .isEmpty();
    assertThat(ConsumerDifference.between(NOW, Oddity.sound().maxAckPending(-1).build(), wanted()))
        .isEmpty();
  }
}
