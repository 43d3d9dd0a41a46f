package dev.contrail.evidence;

import java.io.ByteArrayOutputStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts together what the head of a dead letter left to parts. */
final class PartReader {
  private static final Pattern ENTRY =
      Pattern.compile("([a-z]+)" + PartWriter.BEFORE_HASH + "([0-9a-f]{64})");

  private final Map<PartKind, ByteArrayOutputStream> data = new EnumMap<>(PartKind.class);

  private PartReader() {}

  /** Fetches all parts that the head lists, and refuses any that is not what the list says. */
  static PartReader read(EvidenceReader head, PartSource source) {
    PartReader reader = new PartReader();
    String list = head.stored(EvidenceHeader.PARTS);
    if (!list.isEmpty()) {
      int number = 0;
      for (String entry : list.split(PartWriter.SEPARATOR, -1)) {
        number++;
        reader.add(head, number, entry, source);
      }
    }
    return reader;
  }

  /** Empty where no part is of that kind. */
  Optional<byte[]> data(PartKind kind) {
    return Optional.ofNullable(data.get(kind)).map(ByteArrayOutputStream::toByteArray);
  }

  private void add(EvidenceReader head, int number, String entry, PartSource source) {
    // The hash becomes part of a subject: nothing else may get there.
    Matcher known = ENTRY.matcher(entry);
    PartKind kind =
        (known.matches() ? PartKind.parse(known.group(1)) : Optional.<PartKind>empty())
            .orElseThrow(
                () -> head.unreadable(EvidenceHeader.PARTS + " has '" + entry + "' in its list"));
    String sha256 = known.group(2);
    byte[] bytes =
        source
            .fetch(number, sha256)
            .orElseThrow(() -> head.unreadable("part " + number + " is missing"));
    if (!Sha256.hex(bytes).equals(sha256)) {
      throw head.unreadable("part " + number + " does not have the hash that the list gives");
    }
    data.computeIfAbsent(kind, any -> new ByteArrayOutputStream()).writeBytes(bytes);
  }
}
