package dev.contrail.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/**
 * Walks through JSON and blanks out values, leaving every other byte as it is. No parser of a
 * library is used, for those drop or change bytes that they do not mean to keep.
 */
final class JsonRedactor {
  private static final int DEEPEST = 256;
  private static final byte[] MARK = ("\"" + Redaction.MARK + "\"").getBytes(UTF_8);

  /** What is read is no JSON. */
  private static final class NoJsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoJsonException() {
      super("no JSON", null, false, false);
    }
  }

  private final byte[] json;
  private final List<JsonPath> paths;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int at;
  private int copied;

  JsonRedactor(byte[] json, List<JsonPath> paths) {
    this.json = json;
    this.paths = paths;
  }

  /** The JSON without what the paths lead to; empty where it is none. */
  Optional<byte[]> redacted() {
    long[] matched = new long[paths.size()];
    for (int i = 0; i < matched.length; i++) {
      matched[i] = paths.get(i).start();
    }
    try {
      if (startsWithByteOrderMark()) {
        at = 3;
      }
      blanks();
      // Several values in a row, on lines or not, are common enough.
      do {
        value(matched, 0);
        blanks();
      } while (at < json.length);
    } catch (NoJsonException e) {
      return Optional.empty();
    }
    out.write(json, copied, json.length - copied);
    return Optional.of(out.toByteArray());
  }

  private boolean startsWithByteOrderMark() {
    return json.length >= 3
        && json[0] == (byte) 0xEF
        && json[1] == (byte) 0xBB
        && json[2] == (byte) 0xBF;
  }

  private void value(long[] matched, int depth) {
    if (depth > DEEPEST) {
      throw new NoJsonException();
    }
    int start = at;
    boolean hidden = isWhole(matched);
    byte first = current();
    if (first == '{') {
      object(hidden ? new long[matched.length] : matched, depth);
    } else if (first == '[') {
      array(hidden ? new long[matched.length] : matched, depth);
    } else if (first == '"') {
      string();
    } else {
      scalar();
    }
    if (hidden) {
      out.write(json, copied, start - copied);
      out.writeBytes(MARK);
      copied = at;
    }
  }

  private boolean isWhole(long[] matched) {
    for (int i = 0; i < matched.length; i++) {
      if (paths.get(i).isWhole(matched[i])) {
        return true;
      }
    }
    return false;
  }

  private void object(long[] matched, int depth) {
    at++;
    blanks();
    if (current() == '}') {
      at++;
      return;
    }
    while (true) {
      if (current() != '"') {
        throw new NoJsonException();
      }
      String name = string();
      blanks();
      expect(':');
      blanks();
      long[] inside = new long[matched.length];
      for (int i = 0; i < inside.length; i++) {
        inside[i] = paths.get(i).member(matched[i], name);
      }
      value(inside, depth + 1);
      if (isLast('}')) {
        return;
      }
    }
  }

  private void array(long[] matched, int depth) {
    at++;
    blanks();
    if (current() == ']') {
      at++;
      return;
    }
    for (int index = 0; ; index++) {
      long[] inside = new long[matched.length];
      for (int i = 0; i < inside.length; i++) {
        inside[i] = paths.get(i).element(matched[i], index);
      }
      value(inside, depth + 1);
      if (isLast(']')) {
        return;
      }
    }
  }

  private boolean isLast(char end) {
    blanks();
    if (current() == end) {
      at++;
      return true;
    }
    expect(',');
    blanks();
    return false;
  }

  private String string() {
    int start = ++at;
    boolean escaped = false;
    while (current() != '"') {
      if (json[at] == '\\') {
        escaped = true;
        at++;
        current();
      }
      at++;
    }
    String text = new String(json, start, at - start, UTF_8);
    at++;
    return escaped ? unescaped(text) : text;
  }

  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      char what = text.charAt(++i);
      if (what == 'u') {
        if (i + 4 >= text.length()) {
          throw new NoJsonException();
        }
        try {
          out.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
        } catch (NumberFormatException e) {
          throw new NoJsonException();
        }
        i += 4;
      } else {
        int known = "bfnrt".indexOf(what);
        out.append(known < 0 ? what : "\b\f\n\r\t".charAt(known));
      }
    }
    return out.toString();
  }

  /** A number or a word. */
  private void scalar() {
    int start = at;
    while (at < json.length && isOfScalar(json[at])) {
      at++;
    }
    if (at == start) {
      throw new NoJsonException();
    }
  }

  private static boolean isOfScalar(byte b) {
    return (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || b == '+'
        || b == '-'
        || b == '.';
  }

  private void blanks() {
    while (at < json.length
        && (json[at] == ' ' || json[at] == '\t' || json[at] == '\r' || json[at] == '\n')) {
      at++;
    }
  }

  private void expect(char c) {
    if (current() != c) {
      throw new NoJsonException();
    }
    at++;
  }

  private byte current() {
    if (at >= json.length) {
      throw new NoJsonException();
    }
    return json[at];
  }
}
