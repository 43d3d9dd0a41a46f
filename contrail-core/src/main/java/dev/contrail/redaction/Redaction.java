package dev.contrail.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.OriginalMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Rules for what is blanked out of messages: the values of headers, by name, and values in JSON
 * payloads, by path. A payload that looks like JSON and cannot be read as such is withheld as a
 * whole, for nobody knows what is in it; one that is something else is left as it is. Immutable.
 */
public final class Redaction {
  /** Stands in the place of what is blanked out. */
  public static final String MARK = "[redacted]";

  /** Nothing is blanked out. */
  public static final Redaction NONE = new Redaction(Set.of(), List.of());

  static final String WITHHELD =
      "[redacted: this looks like JSON and cannot be read, so that nothing of it is shown]";

  private final Set<String> headers;
  private final List<JsonPath> paths;

  private Redaction(Set<String> headers, List<JsonPath> paths) {
    this.headers = headers;
    this.paths = paths;
  }

  /**
   * Rules.
   *
   * @param headerNames in upper or lower case
   * @param jsonPaths such as {@code $.card.number}, {@code $.items[*].price}, {@code $..password}
   * @throws IllegalArgumentException with one sentence for whoever wrote it, when one is no path
   */
  public static Redaction of(Collection<String> headerNames, Collection<String> jsonPaths) {
    return headerNames.isEmpty() && jsonPaths.isEmpty()
        ? NONE
        : new Redaction(
            headerNames.stream()
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet()),
            jsonPaths.stream().map(JsonPath::parse).toList());
  }

  /** Whether there are no rules. */
  public boolean isNone() {
    return headers.isEmpty() && paths.isEmpty();
  }

  /** The dead letter as it may be seen; the same one where nothing in it is blanked out. */
  public DeadLetter apply(DeadLetter letter) {
    if (isNone()) {
      return letter;
    }
    OriginalMessage message = letter.message();
    Headers seenHeaders = apply(message.headers());
    byte[] seenPayload = apply(message.payload());
    boolean sameHeaders = seenHeaders.equals(message.headers());
    if (sameHeaders && Arrays.equals(seenPayload, message.payload())) {
      return letter;
    }
    // Where nothing in them is hidden, they stay byte for byte.
    byte[] seenBlock = sameHeaders ? message.headerBlock() : seenHeaders.block();
    return new DeadLetter(
        letter.id(),
        new OriginalMessage(message.subject(), message.publishedAt(), seenBlock, seenPayload),
        letter.death(),
        true);
  }

  /** The headers as they may be seen. */
  public Headers apply(Headers all) {
    if (headers.isEmpty()) {
      return all;
    }
    List<Header> seen = new ArrayList<>(all.size());
    for (Header header : all) {
      boolean hidden = headers.contains(header.name().strip().toLowerCase(Locale.ROOT));
      seen.add(hidden ? new Header(header.name(), MARK) : header);
    }
    return Headers.of(seen);
  }

  /** The payload as it may be seen. */
  public byte[] apply(byte[] payload) {
    if (paths.isEmpty() || !looksLikeJson(payload)) {
      return payload;
    }
    return new JsonRedactor(payload, paths).redacted().orElseGet(() -> WITHHELD.getBytes(UTF_8));
  }

  private static boolean looksLikeJson(byte[] payload) {
    for (byte b : payload) {
      boolean blank = b == ' ' || b == '\t' || b == '\r' || b == '\n';
      if (!blank) {
        // A byte order mark, which some put before their JSON, begins so.
        return b == '{' || b == '[' || b == (byte) 0xEF;
      }
    }
    return false;
  }
}
