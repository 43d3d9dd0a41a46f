package dev.contrail.evidence;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.EncodedDeadLetter.Head;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Makes the stored form of a dead letter, within the server's limits.
 *
 * <p>The message itself is always kept whole: what does not fit into the head goes into parts. Only
 * what explains the failure may be shortened, the stack trace first and the other texts last. The
 * same dead letter under the same limits is always encoded to the same bytes.
 */
public final class EvidenceEncoder {
  /**
   * Room that is left in the head for the headers with which it is published, such as {@code
   * Nats-Expected-Last-Subject-Sequence: 0}.
   */
  public static final int ROOM_FOR_PUBLISHER = 128;

  private static final byte[] NO_BYTES = {};
  private static final int MOST_ORIGINAL_HEADER_BYTES = 32 * 1024;
  private static final List<Integer> TRACE_BYTES_FROM_RICHEST = List.of(8 * 1024, 2 * 1024, 0);

  private final DeadLetter letter;
  private final Limits limits;
  private final String payloadSha256;
  private final List<Header> originalLines;

  private EvidenceEncoder(DeadLetter letter, Limits limits) {
    this.letter = letter;
    this.limits = limits;
    payloadSha256 = letter.message().payloadSha256();
    originalLines = OriginalHeaders.toLines(letter.message().headerBlock());
  }

  /**
   * Succeeds for every message that fits the limits itself.
   *
   * @throws IllegalArgumentException with one sentence, where the limits are so far below the size
   *     of the message that not even the list of its parts fits
   */
  public static EncodedDeadLetter encode(DeadLetter letter, Limits limits) {
    return new EvidenceEncoder(letter, limits).encode();
  }

  private EncodedDeadLetter encode() {
    boolean longHeaders = blockBytes(originalLines) > MOST_ORIGINAL_HEADER_BYTES;
    for (Layout layout : Layout.FROM_RICHEST) {
      Optional<EncodedDeadLetter> encoded =
          longHeaders && !layout.headersInParts() ? Optional.empty() : tryLayout(layout);
      if (encoded.isPresent()) {
        return encoded.get();
      }
    }
    throw new IllegalArgumentException(
        "The dead letter "
            + letter.id()
            + " does not fit into messages of "
            + limits.maxMessageBytes()
            + " bytes with headers of "
            + limits.maxHeaderBytes()
            + " bytes; allow larger messages in the dead-letter stream.");
  }

  private Optional<EncodedDeadLetter> tryLayout(Layout layout) {
    PartWriter parts = parts(layout);
    byte[] body = layout.payloadInParts() ? NO_BYTES : letter.message().payload();
    for (int traceBytes : TRACE_BYTES_FROM_RICHEST) {
      HeadWriter head = new HeadWriter(layout.terse());
      head.id(letter.id());
      head.message(letter.message(), payloadSha256);
      head.redacted(letter.redacted());
      head.death(letter.death());
      head.failure(letter.death().failure().withStackTraceWithin(traceBytes));
      head.parts(parts.list());
      head.original(layout.headersInParts() ? List.of() : originalLines);
      if (fits(blockBytes(head.lines()), body.length)) {
        Head written = new Head(Headers.of(head.lines()), body);
        return Optional.of(new EncodedDeadLetter(letter.id(), parts.parts(), written));
      }
    }
    return Optional.empty();
  }

  private PartWriter parts(Layout layout) {
    OriginalMessage message = letter.message();
    PartWriter parts = new PartWriter(limits);
    if (layout.terse() && HeadWriter.isLong(message.subject())) {
      parts.add(PartKind.SUBJECT, message.subject().getBytes(StandardCharsets.UTF_8));
    }
    if (layout.headersInParts()) {
      parts.add(PartKind.HEADERS, message.headerBlock());
    }
    if (layout.payloadInParts()) {
      parts.add(PartKind.PAYLOAD, message.payload());
    }
    return parts;
  }

  private boolean fits(int headerBytes, int bodyBytes) {
    int published = headerBytes + ROOM_FOR_PUBLISHER;
    return published <= limits.maxHeaderBytes()
        && bodyBytes <= limits.maxMessageBytes() - published;
  }

  /** As the protocol counts: version line, {@code name:value} lines, blank line. */
  private static int blockBytes(List<Header> lines) {
    int bytes = "NATS/1.0\r\n\r\n".length();
    for (Header line : lines) {
      bytes += line.name().length() + line.value().length() + ":\r\n".length();
    }
    return bytes;
  }
}
