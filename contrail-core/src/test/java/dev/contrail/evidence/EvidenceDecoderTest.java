package dev.contrail.evidence;

import static dev.contrail.evidence.Samples.ID;
import static dev.contrail.evidence.Samples.headers;
import static dev.contrail.evidence.Samples.letter;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Header;
import dev.contrail.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EvidenceDecoderTest {
  private static final Limits LIMITS = Limits.ofMessages(64 * 1024);
  private static final byte[] PAYLOAD = "hello".getBytes(UTF_8);

  private final DeadLetter letter = letter(headers("X-Tenant", "acme"), PAYLOAD);
  private final EncodedDeadLetter whole = EvidenceEncoder.encode(letter, LIMITS);
  private final EncodedDeadLetter inParts =
      EvidenceEncoder.encode(letter(Headers.none(), Samples.bytes(64 * 1024)), LIMITS);

  @Test
  void a_summary_is_read_from_the_headers_alone() {
    DeadLetterSummary summary = EvidenceDecoder.summary(ID, whole.head().headers());

    assertThat(summary.id()).isEqualTo(ID);
    assertThat(summary.payloadBytes()).isEqualTo(5);
    assertThat(summary.exceptionMessage()).isEqualTo("charging failed\nfor José (100%)");
  }

  @Test
  void a_summary_tells_the_size_of_a_payload_in_parts() {
    DeadLetterSummary summary = EvidenceDecoder.summary(ID, inParts.head().headers());

    assertThat(summary.payloadBytes()).isEqualTo(64 * 1024);
  }

  @Test
  void a_summary_is_that_of_the_same_message_and_of_no_other() {
    DeadLetterSummary summary = EvidenceDecoder.summary(ID, whole.head().headers());
    OriginalMessage message = letter.message();

    assertThat(summary.isOf(message)).isTrue();
    assertThat(
            summary.isOf(
                OriginalMessage.of(
                    "orders.eu", message.publishedAt().plusNanos(1), Headers.none(), PAYLOAD)))
        .as("published at another time")
        .isFalse();
    assertThat(
            summary.isOf(
                OriginalMessage.of(
                    "orders.eu", message.publishedAt(), Headers.none(), new byte[0])))
        .as("another payload")
        .isFalse();
  }

  @Test
  void a_newer_version_is_refused_in_one_sentence() {
    Headers newer = with(whole.head().headers(), "Contrail-Evidence-Version", "2");

    assertThatThrownBy(() -> EvidenceDecoder.summary(ID, newer))
        .isInstanceOf(UnreadableEvidenceException.class)
        .hasMessage(
            "The dead letter ORDERS.billing.g2k3x9a1b.42 cannot be read: it was written by a newer"
                + " release (evidence version 2, this one reads up to 1).");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Contrail-Evidence-Version|x|Contrail-Evidence-Version is 'x', which is no number",
        "Contrail-Evidence-Version|0|there is no evidence version 0",
        "Contrail-Stream|OTHER|Contrail-Stream is 'OTHER' instead of 'ORDERS'",
        "Contrail-Consumer|other|Contrail-Consumer is 'other' instead of 'billing'",
        "Contrail-Incarnation|other|Contrail-Incarnation is 'other' instead of 'g2k3x9a1b'",
        "Contrail-Sequence|43|Contrail-Sequence is '43' instead of '42'",
        "Contrail-Reason|bored|Contrail-Reason is 'bored', which is no reason",
        "Contrail-Deliveries|many|Contrail-Deliveries is 'many', which is no number",
        "Contrail-Dead-At|today|Contrail-Dead-At is 'today', which is no time",
        "Contrail-Published-At|today|Contrail-Published-At is 'today', which is no time",
        "Contrail-Exception-Message|100%|Contrail-Exception-Message is not encoded as it should be",
        "Contrail-Payload-Size|4|its payload has 5 bytes instead of 4",
        "Contrail-Payload-Sha256|00|its payload does not have the hash that the head gives",
        "Contrail-Parts|payload|Contrail-Parts has 'payload' in its list",
        "Contrail-Parts|soul:00|Contrail-Parts has 'soul:00' in its list",
        "Contrail-Parts|payload:00|Contrail-Parts has 'payload:00' in its list",
        "Contrail-Parts|payload:*|Contrail-Parts has 'payload:*' in its list",
        "Contrail-Original-Header-Order|X-Tenant,X-Gone|the original header X-Gone is missing",
        "Contrail-Original-Header-Order|X-Tenant,X-Tenant|the original header X-Tenant is missing",
        "Contrail-Original-Header-Block|***|Contrail-Original-Header-Block is not base64"
      })
  void a_damaged_value_is_named_in_one_sentence(String name, String value, String problem) {
    Headers damaged = with(whole.head().headers(), name, value);

    assertThatThrownBy(
            () ->
                EvidenceDecoder.decode(
                    ID, damaged, PAYLOAD, (number, sha256) -> Optional.of(PAYLOAD)))
        .isInstanceOf(UnreadableEvidenceException.class)
        .hasMessage("The dead letter " + ID + " cannot be read: " + problem + ".");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Contrail-Evidence-Version",
        "Contrail-Stream",
        "Contrail-Sequence",
        "Contrail-Reason",
        "Contrail-Published-At",
        "Contrail-Payload-Sha256"
      })
  void a_missing_value_is_named_in_one_sentence(String name) {
    Headers damaged = with(whole.head().headers(), name, "");

    assertThatThrownBy(() -> EvidenceDecoder.summary(ID, damaged))
        .isInstanceOf(UnreadableEvidenceException.class)
        .hasMessage(
            "The dead letter " + ID + " cannot be read: the header " + name + " is missing.");
  }

  @Test
  void a_missing_part_is_named() {
    assertThatThrownBy(
            () ->
                EvidenceDecoder.decode(
                    ID,
                    inParts.head().headers(),
                    new byte[0],
                    (number, sha256) ->
                        number == 2 ? Optional.empty() : Samples.part(inParts, number, sha256)))
        .isInstanceOf(UnreadableEvidenceException.class)
        .hasMessage("The dead letter " + ID + " cannot be read: part 2 is missing.");
  }

  @Test
  void a_damaged_part_is_named() {
    assertThatThrownBy(
            () ->
                EvidenceDecoder.decode(
                    ID,
                    inParts.head().headers(),
                    new byte[0],
                    (number, sha256) -> Optional.of(PAYLOAD)))
        .isInstanceOf(UnreadableEvidenceException.class)
        .hasMessage(
            "The dead letter "
                + ID
                + " cannot be read: part 1 does not have the hash that the list gives.");
  }

  @Test
  void headers_that_were_added_on_the_way_are_not_taken_for_original_ones() {
    List<Header> lines = new ArrayList<>(whole.head().headers().lines());
    lines.add(new Header("Nats-Msg-Size", "5"));
    lines.add(new Header("X-Added", "by a mirror"));

    DeadLetter read =
        EvidenceDecoder.decode(
            ID, Headers.of(lines), PAYLOAD, (number, sha256) -> Optional.empty());

    assertThat(read).isEqualTo(letter);
  }

  @Property(tries = 500)
  void whatever_one_line_is_changed_to_it_is_read_or_refused_in_one_sentence(
      @ForAll @IntRange(max = 30) int index, @ForAll String value) {
    List<Header> lines = new ArrayList<>(whole.head().headers().lines());
    int at = index % lines.size();
    lines.set(at, new Header(lines.get(at).name(), value));

    try {
      EvidenceDecoder.decode(ID, Headers.of(lines), PAYLOAD, (number, sha256) -> Optional.empty());
    } catch (UnreadableEvidenceException refused) {
      assertThat(refused).hasMessageStartingWith("The dead letter " + ID + " cannot be read: ");
    }
  }

  private static Headers with(Headers headers, String name, String value) {
    List<Header> lines = new ArrayList<>(headers.lines());
    lines.removeIf(line -> line.name().equals(name));
    if (!value.isEmpty()) {
      lines.add(new Header(name, value));
    }
    return Headers.of(lines);
  }
}
