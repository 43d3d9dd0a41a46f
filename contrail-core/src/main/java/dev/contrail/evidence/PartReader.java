package dev.contrail.evidence;

import java.io.ByteArrayOutputStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** Puts together what the head of a dead letter left to parts. */
final class PartReader {
  private final Map<PartKind, ByteArrayOutputStream> data = new EnumMap<>(PartKind.class);

  private PartReader() {}

  /** Fetches all parts that the head lists, and refuses any that is not what the list says. */
  static PartReader read(EvidenceReader head, IntFunction<Optional<byte[]>> parts) {
    PartReader reader = new PartReader();
    String list = head.stored(EvidenceHeader.PARTS);
    if (!list.isEmpty()) {
      int number = 0;
      for (String entry : list.split(PartWriter.SEPARATOR, -1)) {
        number++;
        reader.add(head, number, entry, parts.apply(number));
      }
    }
    return reader;
  }

  /** Empty where no part is of that kind. */
  Optional<byte[]> data(PartKind kind) {
    return Optional.ofNullable(data.get(kind)).map(ByteArrayOutputStream::toByteArray);
  }

  private void add(EvidenceReader head, int number, String entry, Optional<byte[]> part) {
    int end = entry.indexOf(PartWriter.BEFORE_HASH);
    PartKind kind =
        PartKind.parse(entry.substring(0, Math.max(end, 0)))
            .orElseThrow(
                () -> head.unreadable(EvidenceHeader.PARTS + " has '" + entry + "' in its list"));
    byte[] bytes = part.orElseThrow(() -> head.unreadable("part " + number + " is missing"));
    if (!Sha256.hex(bytes).equals(entry.substring(end + 1))) {
      throw head.unreadable("part " + number + " does not have the hash that the list gives");
    }
    data.computeIfAbsent(kind, any -> new ByteArrayOutputStream()).writeBytes(bytes);
  }
}
