package dev.contrail.evidence;

import dev.contrail.Header;
import dev.contrail.Headers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The original headers among those of the dead letter. Lines of plain ASCII are there under their
 * own names, so that people and filters find them, except for names that mean something to the
 * server or to Contrail: those are moved out of the way. Where all lines are plain, a list of their
 * names keeps the order; where not, the block is kept as well, in base64.
 */
final class OriginalHeaders {
  private static final String SEPARATOR = ",";

  private OriginalHeaders() {}

  static List<Header> toLines(byte[] block) {
    if (block.length == 0) {
      return List.of();
    }
    Headers headers = Headers.parse(block);
    List<Header> lines = new ArrayList<>();
    for (Header line : headers) {
      if (isPlain(line)) {
        lines.add(new Header(storedName(line.name()), line.value()));
      }
    }
    if (lines.size() == headers.size() && Arrays.equals(headers.block(), block)) {
      lines.add(new Header(EvidenceHeader.ORIGINAL_ORDER, order(headers)));
    } else {
      String base64 = Base64.getEncoder().encodeToString(block);
      lines.add(new Header(EvidenceHeader.ORIGINAL_BLOCK, base64));
    }
    return lines;
  }

  static byte[] toBlock(EvidenceReader head) {
    String base64 = head.stored(EvidenceHeader.ORIGINAL_BLOCK);
    if (!base64.isEmpty()) {
      try {
        return Base64.getDecoder().decode(base64);
      } catch (IllegalArgumentException malformed) {
        throw head.unreadable(EvidenceHeader.ORIGINAL_BLOCK + " is not base64");
      }
    }
    String order = head.stored(EvidenceHeader.ORIGINAL_ORDER);
    return order.isEmpty() ? new byte[0] : inOrder(head, order).block();
  }

  private static Headers inOrder(EvidenceReader head, String order) {
    Map<String, Iterator<String>> values = new HashMap<>();
    List<Header> lines = new ArrayList<>();
    for (String entry : order.split(SEPARATOR, -1)) {
      String name = head.decoded(EvidenceHeader.ORIGINAL_ORDER, entry);
      Iterator<String> rest =
          values.computeIfAbsent(storedName(name), stored -> head.all(stored).iterator());
      if (!rest.hasNext()) {
        throw head.unreadable("the original header " + name + " is missing");
      }
      lines.add(new Header(name, rest.next()));
    }
    return Headers.of(lines);
  }

  /**
   * Servers act on {@code Nats-} headers, and evidence must not be forged by those of a message.
   */
  private static String storedName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean moved = lower.startsWith("nats-") || lower.startsWith("contrail-");
    return moved ? EvidenceHeader.MOVED + name : name;
  }

  private static boolean isPlain(Header line) {
    return !line.name().isEmpty()
        && line.name().chars().allMatch(c -> c > ' ' && c != ':' && HeaderText.isPrintable(c))
        && line.value().chars().allMatch(HeaderText::isPrintable)
        && !line.name().contains(HeaderText.CREATE_ONCE)
        && !line.value().contains(HeaderText.CREATE_ONCE);
  }

  private static String order(Headers headers) {
    List<String> names = new ArrayList<>();
    headers.forEach(line -> names.add(line.name().replace("%", "%25").replace(SEPARATOR, "%2C")));
    return String.join(SEPARATOR, names);
  }
}
