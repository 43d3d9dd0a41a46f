package dev.contrail.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Header;
import dev.contrail.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What earlier releases stored must stay readable: these files are never regenerated. Each holds
 * the headers, an empty line, the body in base64, and the parts in base64, one a line.
 */
class StoredSamplesTest {
  private static final byte[] PAYLOAD =
      "{\"id\":\"A-1\",\"cents\":0,\"name\":\"José\"}".getBytes(StandardCharsets.UTF_8);
  private static final byte[] ODD_BLOCK =
      "NATS/1.0\r\nX-Name: José\r\nX-Plain:1\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  @Test
  void a_whole_dead_letter_of_version_1_is_read() throws IOException {
    byte[] block =
        Samples.headers("X-Tenant", "acme", "Nats-Msg-Id", "order-A-1", "X-Tenant", "globex")
            .block();

    assertThat(read("v1-whole.txt")).isEqualTo(expected(block));
  }

  @Test
  void a_dead_letter_of_version_1_with_a_header_block_is_read() throws IOException {
    assertThat(read("v1-header-block.txt")).isEqualTo(expected(ODD_BLOCK));
  }

  @Test
  void a_dead_letter_of_version_1_in_parts_is_read() throws IOException {
    assertThat(read("v1-parts.txt")).isEqualTo(expected(ODD_BLOCK));
  }

  @Test
  void a_summary_of_version_1_is_read_from_the_headers_alone() throws IOException {
    DeadLetterSummary summary = EvidenceDecoder.summary(Samples.ID, headers(lines("v1-whole.txt")));

    assertThat(summary)
        .isEqualTo(
            new DeadLetterSummary(
                Samples.ID,
                Reason.DELIVERY_LIMIT,
                "orders.eu.münchen",
                100,
                "java.util.concurrent.CompletionException",
                "charging failed\nfor José (100%)",
                "0123456789ab",
                Samples.DEAD_AT,
                Samples.PUBLISHED_AT,
                PAYLOAD.length,
                Sha256.hex(PAYLOAD),
                Optional.of("1.4.2"),
                false));
  }

  private static DeadLetter expected(byte[] headerBlock) {
    return Samples.letter(
        new OriginalMessage("orders.eu.münchen", Samples.PUBLISHED_AT, headerBlock, PAYLOAD),
        Samples.FAILURE);
  }

  private static DeadLetter read(String file) throws IOException {
    List<String> lines = lines(file);
    List<byte[]> bodyAndParts =
        lines.subList(lines.indexOf("") + 1, lines.size()).stream()
            .map(Base64.getDecoder()::decode)
            .toList();
    return EvidenceDecoder.decode(
        Samples.ID,
        headers(lines),
        bodyAndParts.get(0),
        (number, sha256) -> Optional.of(bodyAndParts.get(number)));
  }

  private static Headers headers(List<String> lines) {
    List<Header> headers = new ArrayList<>();
    for (String line : lines.subList(0, lines.indexOf(""))) {
      int colon = line.indexOf(": ");
      headers.add(new Header(line.substring(0, colon), line.substring(colon + 2)));
    }
    return Headers.of(headers);
  }

  private static List<String> lines(String file) throws IOException {
    try (InputStream in = StoredSamplesTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
