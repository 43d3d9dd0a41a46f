package dev.contrail.operations.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeliveryWordsTest {
  private static final Instant PUBLISHED = Instant.parse("2026-01-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "1, PT0.0421S, 'on delivery 1, 42ms after it was published'",
    "4, PT15.5S, 'on delivery 4, 15s500ms after it was published'",
    "100, PT4H3M9.8S, 'on delivery 100, 4h3m after it was published'",
    "1200, PT49H59M, 'on delivery 1,200, 2d1h after it was published'",
    "2, PT-3S, 'on delivery 2, as soon as it was published'",
    "0, PT25H, 'without a delivery, 1d1h after it was published'"
  })
  void number_and_time_are_told(long deliveries, Duration took, String words) {
    DeadLetter letter =
        new DeadLetter(
            new DeadLetterId("ORDERS", "billing", "abc", 7),
            new OriginalMessage("orders.new", PUBLISHED, new byte[0], new byte[0]),
            new Death(
                Reason.REJECTED,
                PUBLISHED.plus(took),
                deliveries,
                new Failure("A", "b", "A", "", "f"),
                new Death.Witness("17@host", Optional.empty())));
    assertThat(DeliveryWords.last(letter)).isEqualTo(words);
  }
}
