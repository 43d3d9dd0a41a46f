package dev.contrail.evidence;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

class EvidenceFuzzTest extends FuzzTargets {
  private static final Limits LIMITS = Limits.ofMessages(1 << 20);

  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of(
        "evidence", EvidenceFuzzTest::evidence,
        "dead-letter-id", EvidenceFuzzTest::id,
        "stored-time", EvidenceFuzzTest::time,
        "header-text", EvidenceFuzzTest::headerText);
  }

  /**
   * A header block, a blank line, and the body; what can be read is the same when written again.
   */
  private static void evidence(byte[] data) {
    String text = new String(data, ISO_8859_1);
    int blank = text.indexOf("\r\n\r\n");
    byte[] body = blank < 0 ? new byte[0] : text.substring(blank + 4).getBytes(ISO_8859_1);
    Headers head = withTrueHash(Headers.parse(data), body);
    DeadLetter letter;
    try {
      EvidenceDecoder.summary(Samples.ID, head);
      letter =
          EvidenceDecoder.decode(Samples.ID, head, body, (number, sha256) -> part(number, sha256));
    } catch (UnreadableEvidenceException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      return;
    }
    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, LIMITS);
    DeadLetter again = Samples.storedAndRead(encoded);
    assertThat(again.message()).isEqualTo(letter.message());
    assertThat(EvidenceEncoder.encode(again, LIMITS).head().headers())
        .isEqualTo(encoded.head().headers());
  }

  /** Nobody finds the hash of a changed body by chance. */
  private static Headers withTrueHash(Headers head, byte[] body) {
    List<Header> lines = new ArrayList<>();
    for (Header line : head) {
      String value =
          switch (line.name()) {
            case EvidenceHeader.PAYLOAD_SHA256 -> Sha256.hex(body);
            case EvidenceHeader.PAYLOAD_SIZE -> Integer.toString(body.length);
            default -> line.value();
          };
      lines.add(new Header(line.name(), value));
    }
    return Headers.of(lines);
  }

  private static Optional<byte[]> part(int number, String sha256) {
    byte[] data = {(byte) number};
    return Sha256.hex(data).equals(sha256) ? Optional.of(data) : Optional.empty();
  }

  private static void id(byte[] data) {
    String text = new String(data, UTF_8);
    Optional<DeadLetterId> read = DeadLetterId.read(text);
    if (read.isEmpty()) {
      try {
        throw new AssertionError("parsed, but not read: " + DeadLetterId.parse(text));
      } catch (IllegalArgumentException refused) {
        assertThat(refused).hasMessageStartingWith("'" + text + "' is no id of a dead letter");
        return;
      }
    }
    DeadLetterId id = read.get();
    assertThat(id).hasToString(text);
    assertThat(DeadLetterId.ofSubject("p", id.subject("p"))).contains(id);
    DeadLetterId next = id.nextEpoch();
    assertThat(next).isNotEqualTo(id);
    assertThat(next.isOfLaterEpoch()).isTrue();
    assertThat(DeadLetterId.parse(next.toString())).isEqualTo(next);
  }

  /** Read by hand, and just as the JDK does it. */
  private static void time(byte[] data) {
    String text = new String(data, UTF_8);
    assertThat(readTime(() -> StoredTime.parse(text)))
        .isEqualTo(readTime(() -> Instant.parse(text)));
  }

  private static Optional<Instant> readTime(Supplier<Instant> reader) {
    try {
      return Optional.of(reader.get());
    } catch (DateTimeException none) {
      return Optional.empty();
    }
  }

  private static void headerText(byte[] data) {
    String value = new String(data, UTF_8);
    HeaderText.decode(value).ifPresent(EvidenceFuzzTest::survives);
    survives(value);
  }

  private static void survives(String text) {
    String encoded = HeaderText.encode(text);
    assertThat(encoded.chars().allMatch(HeaderText::isPrintable)).isTrue();
    assertThat(encoded).doesNotContain(HeaderText.CREATE_ONCE);
    assertThat(HeaderText.decode(encoded)).contains(text);
  }
}
