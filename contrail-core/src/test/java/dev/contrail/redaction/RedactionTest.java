package dev.contrail.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.EncodedDeadLetter;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.EvidenceEncoder;
import dev.contrail.evidence.Limits;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
  private static final String ORDER =
      "{ \"id\" : 7, \"card\":{\"number\":\"4111\",\"till\":[1,2]},\n"
          + " \"items\":[{\"price\":1.5,\"password\":\"x\"},{\"price\":null}],"
          + "\"pa\\u0073sword\":{\"deep\":[{}]} }";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "$.card.number|{\"number\":\"[redacted]\",\"till\":[1,2]}",
        "card.number|{\"number\":\"[redacted]\",\"till\":[1,2]}",
        "$['card'].number|{\"number\":\"[redacted]\",\"till\":[1,2]}",
        "$.card|\"card\":\"[redacted]\",",
        "$.card.till[1]|\"till\":[1,\"[redacted]\"]",
        "$.card.*|{\"number\":\"[redacted]\",\"till\":\"[redacted]\"}",
        "$.items[*].price|[{\"price\":\"[redacted]\",\"password\":\"x\"},{\"price\":\"[redacted]\"}]",
        "$..password|{\"price\":1.5,\"password\":\"[redacted]\"},{\"price\":null}],\"pa\\u0073sword\":\"[redacted]\" }",
        "$.id|{ \"id\" : \"[redacted]\", \"card\"",
        "$..[0]|\"till\":[\"[redacted]\",2]",
      })
  void a_path_blanks_out_what_it_leads_to(String path, String expected) {
    assertThat(redacted(ORDER, path)).contains(expected);
  }

  @Test
  void every_other_byte_stays() {
    assertThat(redacted(ORDER, "$.nowhere")).isEqualTo(ORDER);
    assertThat(redacted(ORDER, "$.card.number"))
        .isEqualTo(ORDER.replace("\"4111\"", "\"[redacted]\""));
    assertThat(redacted("{\"a\":1}\n{\"a\":2}\n", "$.a"))
        .isEqualTo("{\"a\":\"[redacted]\"}\n{\"a\":\"[redacted]\"}\n");
    assertThat(redacted("\uFEFF{\"a\":1}", "$.a")).isEqualTo("\uFEFF{\"a\":\"[redacted]\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"card\":\"4111",
        "{\"card\":4111",
        "{\"card\":4111,}",
        "[1,2",
        "{card:1}",
        "{\"a\":1} rest!",
        "{\"x\\u00\":1}",
        "{\"a\\"
      })
  void what_looks_like_json_and_is_none_is_withheld(String payload) {
    assertThat(redacted(payload, "$.card")).startsWith("[redacted: ").doesNotContain("4111");
  }

  @Test
  void deep_json_is_withheld_and_kills_nothing() {
    assertThat(redacted("[".repeat(1_000_000), "$.a")).startsWith("[redacted: ");
  }

  @Test
  void what_is_no_json_is_left_alone() {
    assertThat(redacted("plain text", "$..a")).isEqualTo("plain text");
    byte[] empty = {};
    assertThat(Redaction.of(List.of(), List.of("$.a")).apply(empty)).isSameAs(empty);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "$.", "$.a..", "a b", "$[", "$.a[x]", "$a", "$...a", "$.['a']"})
  void a_path_that_is_none_is_refused_in_one_sentence(String path) {
    assertThatThrownBy(() -> Redaction.of(List.of(), List.of(path)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + path + "' is no path into JSON; accepted are");
  }

  @Test
  void headers_are_blanked_out_by_name_in_any_case() {
    Headers headers =
        Headers.of(List.of(new Header("AUTHORIZATION", "secret"), new Header("Order", "7")));
    assertThat(Redaction.of(List.of("authorization"), List.of()).apply(headers))
        .containsExactly(new Header("AUTHORIZATION", "[redacted]"), new Header("Order", "7"));
  }

  @Test
  void a_dead_letter_that_was_redacted_says_so_when_it_is_stored() {
    DeadLetter letter = letter("{\"card\":4111}");
    Redaction redaction = Redaction.of(List.of(), List.of("$.card"));

    EncodedDeadLetter stored =
        EvidenceEncoder.encode(redaction.apply(letter), Limits.ofMessages(1 << 20));

    DeadLetterSummary summary = EvidenceDecoder.summary(letter.id(), stored.head().headers());
    assertThat(summary.redacted()).isTrue();
    assertThat(summary.isOf(letter.message())).as("still of the message that died").isTrue();
    DeadLetter read =
        EvidenceDecoder.decode(
            letter.id(),
            stored.head().headers(),
            stored.head().body(),
            (n, sha) -> Optional.empty());
    assertThat(read.redacted()).isTrue();
    assertThat(read.message().payload()).asString().isEqualTo("{\"card\":\"[redacted]\"}");
  }

  @Test
  void a_dead_letter_without_anything_to_blank_out_is_the_same() {
    DeadLetter letter = letter("{\"other\":1}");
    assertThat(Redaction.of(List.of("X"), List.of("$.card")).apply(letter)).isSameAs(letter);
    assertThat(Redaction.NONE.apply(letter)).isSameAs(letter);
  }

  private static DeadLetter letter(String payload) {
    return new DeadLetter(
        new DeadLetterId("ORDERS", "billing", "abc", 1),
        OriginalMessage.of("orders.new", Instant.EPOCH, Headers.none(), payload.getBytes(UTF_8)),
        new Death(
            Reason.REJECTED,
            Instant.EPOCH,
            1,
            Failure.described("kind", "message"),
            new Death.Witness("w", Optional.empty())));
  }

  private static String redacted(String payload, String path) {
    return new String(Redaction.of(List.of(), List.of(path)).apply(payload.getBytes(UTF_8)), UTF_8);
  }
}
