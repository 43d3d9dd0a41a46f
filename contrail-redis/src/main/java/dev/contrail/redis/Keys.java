package dev.contrail.redis;

import dev.contrail.ledger.LedgerScope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the completions of a consumer are called in Redis. */
final class Keys {
  private final String completions;
  private final byte[] start;
  private final byte[] lifetime;

  Keys(String prefix, LedgerScope scope) {
    String name =
        Stream.of(scope.stream(), scope.consumer(), scope.incarnation())
            .map(Keys::escaped)
            .collect(Collectors.joining(":"));
    this.completions = prefix + ":processed:" + name + ":";
    this.start = bytes(completions);
    this.lifetime = bytes(prefix + ":processed-ttl:" + name);
  }

  byte[] of(long sequence) {
    byte[] digits = bytes(Long.toString(sequence));
    byte[] key = Arrays.copyOf(start, start.length + digits.length);
    System.arraycopy(digits, 0, key, start.length, digits.length);
    return key;
  }

  /** The sequence in a key of one of them; 0 when that is none. */
  long sequence(byte[] key) {
    String digits =
        key.length <= start.length
            ? ""
            : new String(key, start.length, key.length - start.length, StandardCharsets.US_ASCII);
    return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
  }

  /** For how long each of the completions is kept at least, in milliseconds. */
  byte[] lifetime() {
    return lifetime;
  }

  /** Matches the completions and nothing else. */
  String pattern() {
    return completions.replaceAll("[\\\\*?\\[\\]^]", "\\\\$0") + "*";
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Names may hold the colon that stands between them. */
  private static String escaped(String name) {
    return name.replace("%", "%25").replace(":", "%3A");
  }
}
