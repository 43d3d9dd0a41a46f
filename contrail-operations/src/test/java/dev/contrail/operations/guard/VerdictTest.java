package dev.contrail.operations.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.Reason;
import dev.contrail.operations.stranded.Advisory;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.GuardedMessage;
import io.nats.client.api.RetentionPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every row of the decision. */
class VerdictTest {
  private static final Instant AT = Instant.parse("2026-07-01T10:00:00Z");
  private static final long SEQUENCE = 42;
  private static final long DELIVERIES = 5;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # reason   | retention | consumer                                   | verdict
          EXHAUSTED  | Limits    | limit=5                                    | nothing
          EXHAUSTED  | Limits    | none                                       | nothing
          TERMINATED | WorkQueue | limit=5                                    | nothing
          TERMINATED | Interest  | limit=5                                    | nothing
          TERMINATED | Interest  | none                                       | nothing
          EXHAUSTED  | WorkQueue | limit=5                                    | DELETED
          EXHAUSTED  | Interest  | limit=5                                    | ACKED
          EXHAUSTED  | WorkQueue | limit=5 busy                               | DELETED
          EXHAUSTED  | Interest  | limit=5 busy                               | ACKED
          EXHAUSTED  | WorkQueue | limit=4 busy                               | DELETED
          EXHAUSTED  | WorkQueue | limit=5 busy filter=orders.new             | DELETED
          EXHAUSTED  | WorkQueue | limit=5 busy filter=orders.*               | DELETED
          EXHAUSTED  | WorkQueue | none                                       | leave
          EXHAUSTED  | Interest  | none                                       | leave
          EXHAUSTED  | WorkQueue | limit=5 filter=orders.old                  | leave
          EXHAUSTED  | Interest  | limit=5 filter=orders.old                  | leave
          EXHAUSTED  | Interest  | limit=5 acks-all                           | leave
          EXHAUSTED  | WorkQueue | limit=6 busy                               | wait
          EXHAUSTED  | WorkQueue | limit=6 waiting-for-acks                   | wait
          EXHAUSTED  | WorkQueue | limit=6                                    | DELETED
          EXHAUSTED  | Interest  | limit=6 busy                               | wait
          EXHAUSTED  | Interest  | limit=6                                    | ACKED
          EXHAUSTED  | WorkQueue | busy                                       | wait
          EXHAUSTED  | WorkQueue | idle                                       | DELETED
          EXHAUSTED  | WorkQueue | limit=5 made-again busy                    | wait
          EXHAUSTED  | WorkQueue | limit=5 made-again waiting-for-acks        | wait
          EXHAUSTED  | WorkQueue | limit=5 made-again                         | DELETED
          EXHAUSTED  | Interest  | limit=5 made-again busy                    | wait
          EXHAUSTED  | Interest  | limit=5 made-again                         | ACKED
          EXHAUSTED  | WorkQueue | limit=5 behind busy                        | wait
          EXHAUSTED  | WorkQueue | limit=5 behind                             | wait
          EXHAUSTED  | WorkQueue | limit=5 made-again behind                  | wait
          """)
  void says_what_becomes_of_the_message(
      Reason reason, RetentionPolicy retention, String consumer, String expected) {
    Verdict verdict =
        Verdict.of(
            new Advisory(
                reason, new GuardedMessage("ORDERS", "billing", SEQUENCE), DELIVERIES, AT, ""),
            new StreamFacts(retention, AT.minusSeconds(60)),
            consumer(consumer),
            "orders.new");

    assertThat(text(verdict)).isEqualTo(expected);
  }

  private static Optional<ConsumerFacts> consumer(String text) {
    List<String> words = List.of(text.split(" "));
    if (words.contains("none")) {
      return Optional.empty();
    }
    return Optional.of(
        new ConsumerFacts(
            new ConsumerView(
                "billing",
                words.contains("made-again") ? AT.plusSeconds(1) : AT.minusSeconds(30),
                value(words, "filter").stream().toList(),
                Optional.empty(),
                value(words, "limit").map(Long::parseLong),
                true,
                100,
                words.contains("behind") ? SEQUENCE - 1 : SEQUENCE,
                0,
                words.contains("busy") ? 1 : 0,
                words.contains("waiting-for-acks") ? 1 : 0),
            words.contains("acks-all")));
  }

  private static Optional<String> value(List<String> words, String key) {
    return words.stream()
        .filter(it -> it.startsWith(key + "="))
        .map(it -> it.substring(key.length() + 1))
        .findFirst();
  }

  private static String text(Verdict verdict) {
    if (verdict instanceof Verdict.Release release) {
      return release.how().name();
    }
    return verdict instanceof Verdict.Wait
        ? "wait"
        : verdict instanceof Verdict.Leave ? "leave" : "nothing";
  }
}
