package dev.contrail.evidence;

import static dev.contrail.evidence.Samples.headers;
import static dev.contrail.evidence.Samples.letter;
import static dev.contrail.evidence.Samples.storedAndRead;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.failure.Failure;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvidenceEncoderTest {
  private static final Limits ONE_MIB = Limits.ofMessages(1024 * 1024);

  @Test
  void a_dead_letter_is_the_payload_with_the_evidence_in_its_headers() {
    byte[] payload = "{\"cents\":0}".getBytes(UTF_8);

    EncodedDeadLetter encoded =
        EvidenceEncoder.encode(letter(headers("X-Tenant", "acme"), payload), ONE_MIB);

    assertThat(encoded.parts()).isEmpty();
    assertThat(encoded.head().body()).isEqualTo(payload);
    assertThat(encoded.head().headers())
        .containsExactlyInAnyOrder(
            new Header("Contrail-Evidence-Version", "1"),
            new Header("Contrail-Reason", "delivery-limit"),
            new Header("Contrail-Stream", "ORDERS"),
            new Header("Contrail-Sequence", "42"),
            new Header("Contrail-Subject", "orders.eu"),
            new Header("Contrail-Consumer", "billing"),
            new Header("Contrail-Incarnation", "g2k3x9a1b"),
            new Header("Contrail-Published-At", "2026-01-02T03:04:05.678901234Z"),
            new Header("Contrail-Dead-At", "2026-01-03T00:00:00Z"),
            new Header("Contrail-Deliveries", "100"),
            new Header("Contrail-Exception-Class", "java.util.concurrent.CompletionException"),
            new Header("Contrail-Exception-Message", "charging failed%0Afor Jos%C3%A9 (100%25)"),
            new Header("Contrail-Root-Cause-Class", "com.example.shop.BankException"),
            new Header(
                "Contrail-Exception-Stacktrace",
                "java.util.concurrent.CompletionException: charging failed"
                    + "%0A%09at com.example.A.b(A.java:1)"),
            new Header("Contrail-Fingerprint", "0123456789ab"),
            new Header("Contrail-Worker", "billing-7f@host"),
            new Header("Contrail-App-Version", "1.4.2"),
            new Header("Contrail-Payload-Size", "11"),
            new Header("Contrail-Payload-Sha256", Sha256.hex(payload)),
            new Header("Contrail-Original-Header-Order", "X-Tenant"),
            new Header("X-Tenant", "acme"));
  }

  @Test
  void the_hash_is_that_of_sha_256() {
    assertThat(Sha256.hex("abc".getBytes(UTF_8)))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Nats-Msg-Id",
        "Nats-Expected-Stream",
        "Nats-Expected-Last-Sequence",
        "Nats-Expected-Last-Msg-Id",
        "Nats-Rollup",
        "Nats-TTL",
        "Nats-Schedule",
        "Nats-Schedule-Target",
        "Nats-Batch-Id",
        "Nats-Incr",
        "Nats-Trace-Dest",
        "Nats-Stream-Source",
        "nats-msg-id",
        "Contrail-Reason",
        "Contrail-Stream",
        "contrail-stream",
        "Contrail-Original-Nats-Msg-Id",
        "Contrail-Original-Header-Block",
        "Contrail-Original-Header-Order",
        "Contrail-Parts",
        "Contrail-Replay-Of"
      })
  void headers_that_steer_the_server_or_forge_evidence_are_moved_out_of_the_way(String name) {
    Headers original = headers("X-Before", "1", name, "forged", "X-After", "2", name, "twice");
    DeadLetter letter = letter(original, new byte[0]);

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    Headers stored = encoded.head().headers();
    assertThat(stored.all(name)).doesNotContain("forged", "twice");
    assertThat(stored.all("Contrail-Original-" + name)).containsExactly("forged", "twice");
    assertThat(storedAndRead(encoded)).isEqualTo(letter);
  }

  @Test
  void no_line_but_its_own_may_hold_the_name_of_the_create_once_header() {
    String name = "Nats-Expected-Last-Subject-Sequence";
    Headers original = headers(name, "7", "X-Note", "see " + name, "X-" + name, "1", "X-Fine", "2");
    Failure failure = new Failure("E", "no " + name, "E", name, "0123456789ab");
    OriginalMessage message =
        OriginalMessage.of("orders." + name, Samples.PUBLISHED_AT, original, new byte[0]);
    DeadLetter letter = letter(message, failure);

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    assertThat(new String(encoded.head().headers().block(), UTF_8)).doesNotContain(name);
    assertThat(encoded.head().headers().first("X-Fine")).contains("2");
    assertThat(storedAndRead(encoded)).isEqualTo(letter);
  }

  @Test
  void original_lines_keep_their_order_and_their_repetitions() {
    Headers original = headers("B", "1", "A,%", "2", "B", "3", "C", "", "A,%", "4");
    DeadLetter letter = letter(original, new byte[0]);

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    assertThat(encoded.head().headers().all("B")).containsExactly("1", "3");
    assertThat(encoded.head().headers().first("Contrail-Original-Header-Order"))
        .contains("B,A%2C%25,B,C,A%2C%25");
    assertThat(storedAndRead(encoded).message().headers()).isEqualTo(original);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NATS/1.0\r\nX-Name: José\r\nX-Plain:1\r\n\r\n",
        "NATS/1.0\r\nX-Tab:a\tb\r\nX-Plain:1\r\n\r\n",
        "NATS/1.0\r\nX-Blank: a \r\nX-Plain:1\r\n\r\n",
        "NATS/1.0\r\nX Name:a\r\nX-Plain:1\r\n\r\n",
        "NATS/1.0\r\n:a\r\nX-Plain:1\r\n\r\n",
        "NATS/1.0\r\nlonely\r\nX-Plain:1\r\n\r\n",
        "NATS/1.0 100 Idle\r\nX-Plain:1\r\n\r\n",
        "NATS/1.0\r\nX-Plain:1\r\n\r\nmore",
        "X-Plain:1"
      })
  void a_block_that_its_lines_cannot_stand_for_is_kept_byte_for_byte(String text) {
    byte[] block = text.getBytes(ISO_8859_1);
    DeadLetter letter = letter(block, new byte[0]);

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    Headers stored = encoded.head().headers();
    assertThat(stored.first("Contrail-Original-Header-Block"))
        .contains(Base64.getEncoder().encodeToString(block));
    assertThat(stored.all("X-Plain")).as("plain lines can still be filtered by").containsOnly("1");
    assertThat(stored).allSatisfy(EvidenceEncoderTest::assertPublishable);
    assertThat(storedAndRead(encoded).message().headerBlock()).isEqualTo(block);
  }

  @Test
  void what_is_not_known_is_left_out() {
    Failure failure = Failure.described("no outcome recorded", "");
    Death death =
        new Death(
            Reason.EXHAUSTED,
            Samples.DEAD_AT,
            3,
            failure,
            new Death.Witness("guard@host", Optional.of("")));
    OriginalMessage message =
        OriginalMessage.of("orders.eu", Samples.PUBLISHED_AT, Headers.none(), new byte[0]);
    DeadLetter letter = new DeadLetter(Samples.ID, message, death);

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    assertThat(encoded.head().headers())
        .extracting(Header::name)
        .doesNotContain(
            "Contrail-App-Version",
            "Contrail-Exception-Message",
            "Contrail-Exception-Stacktrace",
            "Contrail-Parts",
            "Contrail-Original-Header-Order");
    assertThat(storedAndRead(encoded)).isEqualTo(letter);
  }

  @Test
  void the_stack_trace_yields_before_the_payload_leaves_the_head() {
    Failure failure = new Failure("E", "m", "E", "\tat com.example.A.b\n".repeat(400), "f");
    DeadLetter almostFull =
        letter(
            OriginalMessage.of(
                "orders.eu", Samples.PUBLISHED_AT, Headers.none(), new byte[1024 * 1024 - 6000]),
            failure);

    EncodedDeadLetter encoded = EvidenceEncoder.encode(almostFull, ONE_MIB);

    assertThat(encoded.parts()).isEmpty();
    assertThat(storedAndRead(encoded).death().failure().stackTrace())
        .hasSizeBetween(1500, 2048)
        .endsWith("…");
  }

  @Test
  void a_payload_as_large_as_the_limit_goes_into_parts_and_the_trace_stays() {
    DeadLetter letter = letter(Headers.none(), Samples.bytes(1024 * 1024));

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    assertThat(encoded.head().body()).isEmpty();
    assertThat(encoded.parts())
        .extracting(part -> part.number() + ":" + part.data().length)
        .containsExactly("1:524288", "2:524288");
    assertThat(encoded.head().headers().first("Contrail-Parts"))
        .contains(
            "payload:"
                + encoded.parts().get(0).sha256()
                + ",payload:"
                + encoded.parts().get(1).sha256());
    assertThat(encoded.head().headers().first("Contrail-Payload-Size")).contains("1048576");
    assertThat(storedAndRead(encoded)).isEqualTo(letter);
  }

  @Test
  void original_headers_above_32_kb_go_into_a_part_and_the_payload_stays() {
    DeadLetter letter = letter(headers("X-Large", "x".repeat(60_000)), Samples.bytes(100));

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    assertThat(encoded.head().body()).hasSize(100);
    assertThat(encoded.head().headers().first("X-Large")).isEmpty();
    assertThat(encoded.parts()).hasSize(1);
    assertThat(encoded.head().headers().first("Contrail-Parts"))
        .contains("headers:" + encoded.parts().get(0).sha256());
    assertThat(storedAndRead(encoded)).isEqualTo(letter);
  }

  @Test
  void sixty_headers_stay_where_people_can_filter_by_them() {
    List<Header> lines = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      lines.add(new Header("X-Header-" + i, "value " + i));
    }
    DeadLetter letter = letter(Headers.of(lines), Samples.bytes(100));

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    assertThat(encoded.parts()).isEmpty();
    assertThat(encoded.head().headers().first("X-Header-59")).contains("value 59");
    assertThat(storedAndRead(encoded)).isEqualTo(letter);
  }

  @Test
  void parts_are_cut_alike_each_time() {
    DeadLetter letter = letter(Headers.none(), Samples.bytes(3_000_000));

    EncodedDeadLetter once = EvidenceEncoder.encode(letter, ONE_MIB);
    EncodedDeadLetter again = EvidenceEncoder.encode(letter, ONE_MIB);

    assertThat(again.head().headers()).isEqualTo(once.head().headers());
    assertThat(again.parts()).hasSameSizeAs(once.parts());
  }

  @Test
  void where_nothing_else_fits_the_texts_are_shortened_and_the_message_stays_whole() {
    Failure failure =
        new Failure("é".repeat(200), "m".repeat(2000), "R".repeat(500), "t".repeat(8000), "f");
    OriginalMessage message =
        OriginalMessage.of(
            "s".repeat(4000),
            Samples.PUBLISHED_AT,
            headers("X", "h".repeat(2000)),
            Samples.bytes(2000));
    DeadLetter letter = letter(message, failure);

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, Limits.ofMessages(4096));
    DeadLetter read = storedAndRead(encoded);

    assertThat(read.message()).isEqualTo(message);
    assertThat(read.death().failure().message()).hasSize(152).startsWith("mmm").endsWith("m…");
    assertThat(read.death().failure().fingerprint()).isEqualTo("f");
    assertThat(encoded.head().headers().first("Contrail-Subject").orElseThrow()).hasSize(160);
  }

  @Test
  void limits_that_cannot_hold_the_list_of_parts_are_refused_in_one_sentence() {
    DeadLetter letter = letter(Headers.none(), new byte[1024 * 1024]);

    assertThatThrownBy(() -> EvidenceEncoder.encode(letter, Limits.ofMessages(4096)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "The dead letter ORDERS.billing.g2k3x9a1b.42 does not fit into messages of 4096 bytes"
                + " with headers of 65535 bytes; allow larger messages in the dead-letter stream.");
  }

  @Test
  void limits_below_the_smallest_are_refused_in_one_sentence() {
    assertThatThrownBy(() -> Limits.ofMessages(1024))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Dead letters need room for messages and headers of at least 4096 bytes,"
                + " but messages may have 1024 and headers 65535.");
  }

  static void assertPublishable(Header line) {
    assertThat(line.name()).matches("[!-9;-~]+");
    assertThat(line.value()).matches("[ -~]*").isEqualTo(line.value().strip());
  }
}
