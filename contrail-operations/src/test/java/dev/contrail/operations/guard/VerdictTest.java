package dev.contrail.operations.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.Reason;
import dev.contrail.operations.stranded.Advisory;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.GuardedMessage;
import dev.contrail.operations.stranded.Observation;
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
          EXHAUSTED  | WorkQueue | limit=5 domain                             | leave
          EXHAUSTED  | Interest  | limit=5 domain                             | leave
          EXHAUSTED  | Limits    | limit=5 domain                             | nothing
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
          EXHAUSTED  | WorkQueue | limit=5 made-about-then busy               | wait
          EXHAUSTED  | WorkQueue | limit=5 made-about-then                    | DELETED
          EXHAUSTED  | Interest  | limit=5 made-again busy                    | wait
          EXHAUSTED  | Interest  | limit=5 made-again                         | ACKED
          EXHAUSTED  | WorkQueue | limit=5 waiting-for-acks                   | DELETED
          EXHAUSTED  | WorkQueue | limit=5 stale waiting-for-acks             | wait
          EXHAUSTED  | Interest  | limit=5 stale waiting-for-acks             | wait
          EXHAUSTED  | WorkQueue | limit=5 stale busy                         | DELETED
          EXHAUSTED  | WorkQueue | limit=5 stale behind                       | wait
          EXHAUSTED  | WorkQueue | limit=5 stale                              | DELETED
          EXHAUSTED  | WorkQueue | limit=5 set-back waiting-for-acks          | wait
          EXHAUSTED  | WorkQueue | limit=5 set-back                           | DELETED
          EXHAUSTED  | WorkQueue | limit=5 set-back-long-ago waiting-for-acks | DELETED
          EXHAUSTED  | WorkQueue | limit=5 behind busy                        | wait
          EXHAUSTED  | WorkQueue | limit=5 behind                             | wait
          EXHAUSTED  | WorkQueue | limit=5 made-again behind                  | wait
          EXHAUSTED  | WorkQueue | limit=5 no-deletions                       | leave
          EXHAUSTED  | Interest  | limit=5 no-deletions                       | ACKED
          EXHAUSTED  | WorkQueue | limit=5 copied=orders.*                    | leave
          EXHAUSTED  | WorkQueue | limit=5 copied=orders.old                  | DELETED
          EXHAUSTED  | WorkQueue | limit=5 streams-away                       | wait
          EXHAUSTED  | Interest  | limit=5 copied=orders.* streams-away       | ACKED
          """)
  void says_what_becomes_of_the_message(
      Reason reason, RetentionPolicy retention, String consumer, String expected) {
    Verdict verdict =
        Verdict.of(
            new Advisory(
                reason, new GuardedMessage("ORDERS", "billing", SEQUENCE), DELIVERIES, AT, "", ""),
            stream(
                retention,
                consumer.contains("domain") ? "hub" : "",
                !consumer.contains("no-deletions")),
            consumer(consumer),
            copiers(consumer),
            "orders.new",
            consumer.contains("stale") ? AT.plusMillis(1) : AT);

    assertThat(text(verdict)).isEqualTo(expected);
  }

  private static StreamFacts stream(
      RetentionPolicy retention, String domain, boolean allowsDeletions) {
    return new StreamFacts(
        retention,
        AT.minusSeconds(60),
        domain,
        allowsDeletions,
        Optional.empty(),
        Optional.empty());
  }

  private static Copiers copiers(String text) {
    return new Copiers(
        text.contains("copied=")
            ? List.of(
                new Observation.Reader(
                    "ARCHIVE", List.of(value(List.of(text.split(" ")), "copied").orElseThrow())))
            : List.of(),
        text.contains("streams-away") ? Optional.of("ARCHIVE is away") : Optional.empty());
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
                words.contains("made-again")
                    ? AT.plusSeconds(1)
                    : AT.minusSeconds(words.contains("made-about-then") ? 4 : 30),
                value(words, "filter").stream().toList(),
                Optional.empty(),
                value(words, "limit").map(Long::parseLong),
                true,
                100,
                words.contains("behind") ? SEQUENCE - 1 : SEQUENCE,
                0,
                words.contains("busy") ? 1 : 0,
                words.contains("waiting-for-acks") ? 1 : 0,
                0),
            words.contains("acks-all"),
            words.contains("set-back")
                ? Optional.of(AT.minusSeconds(4))
                : words.contains("set-back-long-ago")
                    ? Optional.of(AT.minusSeconds(6))
                    : Optional.empty()));
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
