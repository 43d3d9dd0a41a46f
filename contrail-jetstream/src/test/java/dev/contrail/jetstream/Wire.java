package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a server puts on the wire, and a guard that reads it in pieces of any size. */
final class Wire {
  record Received(String line, String headers, String payload) {}

  private Wire() {}

  static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  static byte[] join(List<byte[]> parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parts.forEach(out::writeBytes);
    return out.toByteArray();
  }

  static byte[] msg(String reply, byte[] payload) {
    String line = "MSG orders.new 7" + reply + " " + payload.length + "\r\n";
    return join(List.of(bytes(line), payload, bytes("\r\n")));
  }

  static byte[] hmsg(String reply, byte[] headers, byte[] payload) {
    int total = headers.length + payload.length;
    String line = "HMSG orders.new 7" + reply + " " + headers.length + " " + total + "\r\n";
    return join(List.of(bytes(line), headers, payload, bytes("\r\n")));
  }

  /** What comes out of the guard when {@code sent} arrives and is asked for in random pieces. */
  static byte[] guarded(byte[] sent, long seed) {
    return guarded(sent, seed, new Shortcuts());
  }

  /** The same, with what has a shortcut taken out. */
  static byte[] guarded(byte[] sent, long seed, Shortcuts shortcuts) {
    Random random = new Random(seed);
    InputStream in = new ByteArrayInputStream(sent);
    InputStream pieces =
        new InputStream() {
          @Override
          public int read() {
            throw new UnsupportedOperationException("the guard reads into an array");
          }

          @Override
          public int read(byte[] dst, int off, int len) throws IOException {
            return in.read(dst, off, Math.min(len, piece(random)));
          }
        };
    return drained(pieces, random, shortcuts);
  }

  static byte[] guarded(byte[] sent) {
    return drained(new ByteArrayInputStream(sent), new Random(0), new Shortcuts());
  }

  private static byte[] drained(InputStream in, Random random, Shortcuts shortcuts) {
    HeaderGuard guard = new HeaderGuard(shortcuts);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] dst = new byte[4096];
    try {
      while (true) {
        int off = random.nextInt(10);
        int count = guard.read(in, dst, off, Math.min(dst.length - off, piece(random)));
        if (count < 0) {
          return out.toByteArray();
        }
        out.write(dst, off, count);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int piece(Random random) {
    return 1 + random.nextInt(random.nextBoolean() ? 7 : 3000);
  }

  /** The messages in {@code bytes}, read as a client would: by their sizes. */
  static List<Received> messages(byte[] bytes) {
    List<Received> messages = new ArrayList<>();
    String text = new String(bytes, ISO_8859_1);
    int at = 0;
    while (at < text.length()) {
      int lineEnd = text.indexOf("\r\n", at);
      String line = text.substring(at, lineEnd);
      at = lineEnd + 2;
      if (line.startsWith("MSG ") || line.startsWith("HMSG ")) {
        int total = Integer.parseInt(lastWord(line));
        String rest = line.substring(0, line.lastIndexOf(' '));
        int headers = line.startsWith("H") ? Integer.parseInt(lastWord(rest)) : 0;
        String block = text.substring(at, at + headers);
        messages.add(new Received(rest, block, text.substring(at + headers, at + total)));
        if (!text.startsWith("\r\n", at + total)) {
          throw new IllegalStateException("no line end after the payload of " + line);
        }
        at += total + 2;
      } else {
        messages.add(new Received(line, "", ""));
      }
    }
    return messages;
  }

  private static String lastWord(String line) {
    return line.substring(line.lastIndexOf(' ') + 1);
  }
}
