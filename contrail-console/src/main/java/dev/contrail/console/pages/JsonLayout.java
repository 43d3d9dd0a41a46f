package dev.contrail.console.pages;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** JSON over several lines. Only blanks between its tokens change: numbers stay as written. */
final class JsonLayout {
  private static final JsonFactory JSON = new JsonFactory();

  // What is nested deeply grows by its indents, a thousandfold.
  private static final int MOST = 256 * 1024;

  private JsonLayout() {}

  /** Empty where it is no object or array of JSON, or would become much longer. */
  static Optional<String> of(String text) {
    String stripped = text.strip();
    return isJson(stripped) ? laidOut(stripped) : Optional.empty();
  }

  /** Whether it is an object or an array of JSON. */
  static boolean isJson(String text) {
    String stripped = text.strip();
    return (stripped.startsWith("{") || stripped.startsWith("[")) && isWhole(stripped);
  }

  private static boolean isWhole(String text) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
      int depth = 0;
      JsonToken token = parser.nextToken();
      while (token != null) {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        token = parser.nextToken();
        if (depth == 0) {
          return token == null;
        }
      }
      return false;
    } catch (JacksonException e) {
      return false;
    }
  }

  private static Optional<String> laidOut(String text) {
    int most = Math.max(MOST, 4 * text.length());
    StringBuilder out = new StringBuilder(text.length() * 2);
    int depth = 0;
    boolean inString = false;
    for (int i = 0; i < text.length(); i++) {
      if (out.length() > most) {
        return Optional.empty();
      }
      char c = text.charAt(i);
      if (inString) {
        out.append(c);
        if (c == '\\') {
          out.append(text.charAt(++i));
        } else if (c == '"') {
          inString = false;
        }
        continue;
      }
      switch (c) {
        case '"' -> {
          inString = true;
          out.append(c);
        }
        case '{', '[' -> {
          int next = afterBlanks(text, i + 1);
          if (text.charAt(next) == '}' || text.charAt(next) == ']') {
            out.append(c).append(text.charAt(next));
            i = next;
          } else {
            newLine(out.append(c), ++depth);
          }
        }
        case '}', ']' -> {
          newLine(out, --depth);
          out.append(c);
        }
        case ',' -> newLine(out.append(c), depth);
        case ':' -> out.append(": ");
        case ' ', '\t', '\r', '\n' -> {
          // Laid out anew.
        }
        default -> out.append(c);
      }
    }
    return Optional.of(out.toString());
  }

  private static int afterBlanks(String text, int from) {
    int at = from;
    while (Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static void newLine(StringBuilder out, int depth) {
    out.append('\n').append("  ".repeat(Math.max(0, depth)));
  }
}
