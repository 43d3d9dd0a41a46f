package dev.contrail.evidence;

import dev.contrail.Headers;
import dev.contrail.failure.Failure;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the stored form of dead letters. Headers that clients or servers added to a head, and their
 * order, do not matter.
 */
public final class EvidenceDecoder {
  private EvidenceDecoder() {}

  /**
   * What the headers of a stored dead letter tell.
   *
   * @param id under which it is stored
   * @throws UnreadableEvidenceException when the headers are not those of that dead letter, are
   *     damaged, or were written by a newer release
   */
  public static DeadLetterSummary summary(DeadLetterId id, Headers head) {
    EvidenceReader reader = new EvidenceReader(id, head);
    return new DeadLetterSummary(
        id,
        reader.reason(),
        reader.text(EvidenceHeader.SUBJECT),
        reader.number(EvidenceHeader.DELIVERIES),
        reader.text(EvidenceHeader.EXCEPTION_CLASS),
        reader.text(EvidenceHeader.EXCEPTION_MESSAGE),
        reader.text(EvidenceHeader.FINGERPRINT),
        reader.instant(EvidenceHeader.DEAD_AT),
        reader.instant(EvidenceHeader.PUBLISHED_AT),
        reader.number(EvidenceHeader.PAYLOAD_SIZE),
        reader.required(EvidenceHeader.PAYLOAD_SHA256),
        appVersion(reader),
        isRedacted(reader));
  }

  /**
   * The whole dead letter.
   *
   * @param id under which it is stored
   * @param parts where to fetch the parts that the head lists
   * @throws UnreadableEvidenceException as for {@link #summary}, and when a part is missing or its
   *     data, or the payload, is not what the head says
   */
  public static DeadLetter decode(DeadLetterId id, Headers head, byte[] body, PartSource parts) {
    EvidenceReader reader = new EvidenceReader(id, head);
    return decode(reader, body, parts, reader.text(EvidenceHeader.STACK_TRACE));
  }

  /**
   * The same with an empty stack trace, for whoever reads many: it is longer than all else, and
   * costs as much to decode.
   */
  public static DeadLetter decodeWithoutStackTrace(
      DeadLetterId id, Headers head, byte[] body, PartSource parts) {
    return decode(new EvidenceReader(id, head), body, parts, "");
  }

  private static DeadLetter decode(
      EvidenceReader reader, byte[] body, PartSource parts, String stackTrace) {
    PartReader partReader = PartReader.read(reader, parts);
    OriginalMessage message =
        new OriginalMessage(
            partReader
                .data(PartKind.SUBJECT)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElseGet(() -> reader.text(EvidenceHeader.SUBJECT)),
            reader.instant(EvidenceHeader.PUBLISHED_AT),
            partReader.data(PartKind.HEADERS).orElseGet(() -> OriginalHeaders.toBlock(reader)),
            partReader.data(PartKind.PAYLOAD).orElse(body));
    requirePayload(reader, message);
    return new DeadLetter(reader.id(), message, death(reader, stackTrace), isRedacted(reader));
  }

  private static Death death(EvidenceReader reader, String stackTrace) {
    Failure failure =
        new Failure(
            reader.text(EvidenceHeader.EXCEPTION_CLASS),
            reader.text(EvidenceHeader.EXCEPTION_MESSAGE),
            reader.text(EvidenceHeader.ROOT_CAUSE_CLASS),
            stackTrace,
            reader.text(EvidenceHeader.FINGERPRINT));
    return new Death(
        reader.reason(),
        reader.instant(EvidenceHeader.DEAD_AT),
        reader.number(EvidenceHeader.DELIVERIES),
        failure,
        new Death.Witness(reader.text(EvidenceHeader.WORKER), appVersion(reader)));
  }

  private static Optional<String> appVersion(EvidenceReader reader) {
    return Optional.of(reader.text(EvidenceHeader.APP_VERSION)).filter(text -> !text.isEmpty());
  }

  private static boolean isRedacted(EvidenceReader reader) {
    return reader.stored(EvidenceHeader.REDACTED).equals("true");
  }

  private static void requirePayload(EvidenceReader reader, OriginalMessage message) {
    long size = reader.number(EvidenceHeader.PAYLOAD_SIZE);
    if (message.payload().length != size) {
      throw reader.unreadable(
          "its payload has " + message.payload().length + " bytes instead of " + size);
    }
    if (!message.payloadSha256().equals(reader.required(EvidenceHeader.PAYLOAD_SHA256))) {
      throw reader.unreadable("its payload does not have the hash that the head gives");
    }
  }
}
