package dev.contrail.evidence;

import dev.contrail.evidence.EncodedDeadLetter.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts what does not fit into the head into parts, and lists them. */
final class PartWriter {
  static final String SEPARATOR = ",";
  static final String BEFORE_HASH = ":";

  // What a publisher may add to a part as headers.
  private static final int MARGIN = 512;

  private final int partBytes;
  private final List<Part> parts = new ArrayList<>();
  private final List<String> entries = new ArrayList<>();

  /** The size of parts follows from the limits alone, so that a second try cuts alike. */
  PartWriter(Limits limits) {
    partBytes = Integer.highestOneBit(limits.maxMessageBytes() - MARGIN);
  }

  void add(PartKind kind, byte[] data) {
    for (int start = 0; start < data.length; start += partBytes) {
      int end = start + Math.min(partBytes, data.length - start);
      byte[] piece = Arrays.copyOfRange(data, start, end);
      String sha256 = Sha256.hex(piece);
      parts.add(new Part(parts.size() + 1, piece, sha256));
      entries.add(kind.text() + BEFORE_HASH + sha256);
      if (end == data.length) {
        break;
      }
    }
  }

  List<Part> parts() {
    return List.copyOf(parts);
  }

  /** Kind and hash of each part, in order; empty where there are none. */
  String list() {
    return String.join(SEPARATOR, entries);
  }
}
