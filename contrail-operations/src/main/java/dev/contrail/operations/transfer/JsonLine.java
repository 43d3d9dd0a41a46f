package dev.contrail.operations.transfer;

/** Writes JSON on one line, with every text as it is: the client's own writer drops blank ones. */
final class JsonLine {
  private final StringBuilder out = new StringBuilder();

  JsonLine begin(char bracket) {
    separate();
    out.append(bracket);
    return this;
  }

  JsonLine end(char bracket) {
    out.append(bracket);
    return this;
  }

  JsonLine name(String name) {
    separate();
    quote(name);
    out.append(':');
    return this;
  }

  JsonLine text(String text) {
    separate();
    quote(text);
    return this;
  }

  JsonLine plain(Object numberOrBoolean) {
    separate();
    out.append(numberOrBoolean);
    return this;
  }

  JsonLine field(String name, String text) {
    return name(name).text(text);
  }

  @Override
  public String toString() {
    return out.toString();
  }

  private void separate() {
    if (out.length() > 0 && "[{:".indexOf(out.charAt(out.length() - 1)) < 0) {
      out.append(',');
    }
  }

  private void quote(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c >= 0x7F) {
        // Escaped, so that a file is plain ASCII and survives any editor.
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
