package dev.contrail.evidence;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.EncodedDeadLetter.Part;
import dev.contrail.failure.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Dead letters for tests, and a store that treats them as a server and a client do. */
final class Samples {
  static final DeadLetterId ID = new DeadLetterId("ORDERS", "billing", "g2k3x9a1b", 42);
  static final Instant PUBLISHED_AT = Instant.parse("2026-01-02T03:04:05.678901234Z");
  static final Instant DEAD_AT = Instant.parse("2026-01-03T00:00:00Z");
  static final Failure FAILURE =
      new Failure(
          "java.util.concurrent.CompletionException",
          "charging failed\nfor José (100%)",
          "com.example.shop.BankException",
          "java.util.concurrent.CompletionException: charging failed\n\tat com.example.A.b(A.java:1)",
          "0123456789ab");

  private Samples() {}

  static DeadLetter letter(Headers headers, byte[] payload) {
    return letter(headers.block(), payload);
  }

  static DeadLetter letter(byte[] headerBlock, byte[] payload) {
    return letter(new OriginalMessage("orders.eu", PUBLISHED_AT, headerBlock, payload), FAILURE);
  }

  static DeadLetter letter(OriginalMessage message, Failure failure) {
    return new DeadLetter(
        ID,
        message,
        new Death(
            Reason.DELIVERY_LIMIT,
            DEAD_AT,
            100,
            failure,
            new Death.Witness("billing-7f@host", Optional.of("1.4.2"))));
  }

  static Headers headers(String... namesAndValues) {
    List<Header> lines = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      lines.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
    }
    return Headers.of(lines);
  }

  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31 + (i >> 8));
    }
    return bytes;
  }

  /** Through a client that keeps no order between names, and a server that adds a header. */
  static DeadLetter storedAndRead(EncodedDeadLetter encoded) {
    return EvidenceDecoder.decode(
        encoded.id(),
        shuffled(encoded.head().headers()),
        encoded.head().body(),
        (number, sha256) -> part(encoded, number, sha256));
  }

  static Headers shuffled(Headers headers) {
    List<String> names = new ArrayList<>();
    headers.forEach(line -> names.add(line.name()));
    List<String> distinct = new ArrayList<>(List.copyOf(Set.copyOf(names)));
    Collections.sort(distinct, Collections.reverseOrder());
    List<Header> lines = new ArrayList<>();
    lines.add(new Header("Nats-Expected-Last-Subject-Sequence", "0"));
    for (String name : distinct) {
      headers.all(name).forEach(value -> lines.add(new Header(name, value)));
    }
    return Headers.of(lines);
  }

  static Optional<byte[]> part(EncodedDeadLetter encoded, int number, String sha256) {
    return encoded.parts().stream()
        .filter(part -> part.number() == number && part.sha256().equals(sha256))
        .map(Part::data)
        .map(data -> Arrays.copyOf(data, data.length))
        .findFirst();
  }
}
