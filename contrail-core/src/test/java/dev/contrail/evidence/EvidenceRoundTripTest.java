package dev.contrail.evidence;

import static dev.contrail.evidence.Samples.storedAndRead;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.failure.Failure;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class EvidenceRoundTripTest {
  private static final Limits ONE_MIB = Limits.ofMessages(1024 * 1024);

  @Property
  void any_small_message_and_failure_are_read_back_whole(@ForAll("letters") DeadLetter letter) {
    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    assertWithin(encoded, ONE_MIB);
    assertThat(storedAndRead(encoded)).isEqualTo(letter);
  }

  @Property(tries = 300)
  void without_its_stack_trace_it_is_the_same(@ForAll("letters") DeadLetter letter) {
    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);
    Failure failure = letter.death().failure();

    DeadLetter read =
        EvidenceDecoder.decodeWithoutStackTrace(
            letter.id(),
            encoded.head().headers(),
            encoded.head().body(),
            (number, sha256) -> Samples.part(encoded, number, sha256));

    assertThat(read.message()).isEqualTo(letter.message());
    assertThat(read.death().reason()).isEqualTo(letter.death().reason());
    assertThat(read.death().failure())
        .isEqualTo(
            new Failure(
                failure.exceptionClass(),
                failure.message(),
                failure.rootCauseClass(),
                "",
                failure.fingerprint()));
  }

  @Property(tries = 300)
  void any_header_bytes_are_read_back(@ForAll @Size(max = 200) byte[] block) {
    DeadLetter letter = Samples.letter(block, new byte[0]);

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    assertWithin(encoded, ONE_MIB);
    assertThat(storedAndRead(encoded)).isEqualTo(letter);
  }

  @Property(tries = 150)
  void any_payload_around_the_limit_is_read_back(
      @ForAll("sizesAroundLimits") int size, @ForAll @IntRange(max = 60_000) int headerSize) {
    Headers headers = Samples.headers("X-Large", "x".repeat(headerSize), "X", "y");
    DeadLetter letter = Samples.letter(headers, Samples.bytes(size));

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, ONE_MIB);

    assertWithin(encoded, ONE_MIB);
    assertThat(storedAndRead(encoded).message()).isEqualTo(letter.message());
  }

  @Property(tries = 500)
  void every_message_that_fits_the_limits_itself_gets_its_dead_letter(
      @ForAll @IntRange(min = 4096, max = 70_000) int limit,
      @ForAll @IntRange(max = 60_000) int headerSize,
      @ForAll("nearlyFull") int slack,
      @ForAll("lines") Headers odd) {
    Limits limits = Limits.ofMessages(limit);
    int valueSize = Math.max(0, Math.min(headerSize, limit - 2000));
    Headers headers = concat(odd, Samples.headers("X-Large", "x".repeat(valueSize)));
    int payloadSize = Math.max(0, limit - headers.block().length - slack);
    DeadLetter letter = Samples.letter(headers, Samples.bytes(payloadSize));

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, limits);

    assertWithin(encoded, limits);
    assertThat(storedAndRead(encoded).message()).isEqualTo(letter.message());
  }

  @Property(tries = 100)
  void the_longest_names_and_texts_fit_the_smallest_limits(
      @ForAll @IntRange(max = 4000) int subjectSize, @ForAll @IntRange(max = 4000) int headerSize) {
    Limits limits = Limits.ofMessages(Limits.SMALLEST);
    String longestName = "é".repeat(127);
    Failure failure =
        new Failure(
            "é".repeat(256), "\n".repeat(2048), "é".repeat(256), "\n".repeat(8192), "0123456789ab");
    Headers headers = Samples.headers("X", "x".repeat(headerSize));
    OriginalMessage message =
        OriginalMessage.of(
            "s".repeat(subjectSize),
            Instant.parse("2026-01-02T03:04:05.678901234Z"),
            headers,
            Samples.bytes(4096 - headers.block().length));
    Death death =
        new Death(
            Reason.DELIVERY_LIMIT,
            Instant.parse("2026-01-02T03:04:05.678901234Z"),
            Long.MAX_VALUE,
            failure,
            new Death.Witness("é".repeat(1000), Optional.of("é".repeat(1000))));
    DeadLetterId id = new DeadLetterId(longestName, longestName, "g2k3x9a1bc-99", Long.MAX_VALUE);
    DeadLetter letter = new DeadLetter(id, message, death);

    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, limits);

    assertWithin(encoded, limits);
    assertThat(storedAndRead(encoded).message()).isEqualTo(message);
  }

  @Provide
  Arbitrary<Integer> sizesAroundLimits() {
    int limit = 1024 * 1024;
    return Arbitraries.oneOf(
        Arbitraries.integers().between(0, 70_000),
        Arbitraries.integers().between(limit - 12_000, limit),
        Arbitraries.integers().between(2 * limit - 100, 2 * limit),
        Arbitraries.of(0, 1, limit / 2 - 1, limit / 2, limit / 2 + 1, limit - 1, limit, 2 * limit));
  }

  @Provide
  Arbitrary<Integer> nearlyFull() {
    return Arbitraries.oneOf(Arbitraries.just(0), Arbitraries.integers().between(0, 14_000));
  }

  @Provide
  Arbitrary<DeadLetter> letters() {
    Arbitrary<String> text = Arbitraries.strings().all().ofMaxLength(60).map(this::wellFormed);
    Arbitrary<Failure> failures =
        Combinators.combine(
                text,
                text,
                text,
                text,
                text.map(s -> s.length() > 12 ? s.substring(0, 12) : s).map(this::wellFormed))
            .as(Failure::new);
    Arbitrary<OriginalMessage> messages =
        Combinators.combine(
                text,
                Arbitraries.longs().between(0, 4_000_000_000L),
                lines(),
                Arbitraries.bytes().array(byte[].class).ofMaxSize(100))
            .as(
                (subject, second, headers, payload) ->
                    OriginalMessage.of(
                        subject, Instant.ofEpochSecond(second, 7), headers, payload));
    return Combinators.combine(messages, failures).as(Samples::letter);
  }

  @Provide
  Arbitrary<Headers> lines() {
    Arbitrary<String> names =
        Arbitraries.oneOf(
            Arbitraries.of(
                "X-A",
                "X-B",
                "Nats-Msg-Id",
                "Contrail-Reason",
                "Contrail-Original-Nats-Msg-Id",
                "Nats-Expected-Last-Subject-Sequence"),
            Arbitraries.strings().ascii().ofMaxLength(6),
            Arbitraries.strings().all().ofMaxLength(6));
    Arbitrary<String> values =
        Arbitraries.oneOf(
            Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(12),
            Arbitraries.strings().all().ofMaxLength(12));
    return Combinators.combine(names, values).as(Header::new).list().ofMaxSize(8).map(Headers::of);
  }

  private String wellFormed(String text) {
    return new String(text.getBytes(UTF_8), UTF_8);
  }

  private static Headers concat(Headers first, Headers second) {
    return Headers.of(Stream.concat(first.lines().stream(), second.lines().stream()).toList());
  }

  private static void assertWithin(EncodedDeadLetter encoded, Limits limits) {
    int headerBytes = encoded.head().headers().block().length + EvidenceEncoder.ROOM_FOR_PUBLISHER;
    assertThat(headerBytes).as("header block").isLessThanOrEqualTo(limits.maxHeaderBytes());
    assertThat(headerBytes + encoded.head().body().length)
        .as("head")
        .isLessThanOrEqualTo(limits.maxMessageBytes());
    assertThat(encoded.parts())
        .allSatisfy(
            part ->
                assertThat(part.data().length)
                    .as("part " + part.number())
                    .isLessThanOrEqualTo(limits.maxMessageBytes() - 512));
    assertThat(encoded.head().headers()).allSatisfy(EvidenceEncoderTest::assertPublishable);
  }
}
