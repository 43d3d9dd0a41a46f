package dev.contrail.cli.work;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Keeps the end of whatever is written to it, however much that is. */
final class Tail extends OutputStream {
  private final byte[] ring;
  private long written;

  Tail(int bytes) {
    ring = new byte[bytes];
  }

  @Override
  public synchronized void write(int b) {
    ring[(int) (written++ % ring.length)] = (byte) b;
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    int skipped = Math.max(0, length - ring.length);
    written += skipped;
    for (int i = offset + skipped; i < offset + length; i++) {
      ring[(int) (written++ % ring.length)] = bytes[i];
    }
  }

  /** The end as text, beginning with a whole character. */
  synchronized String text() {
    int kept = (int) Math.min(written, ring.length);
    byte[] end = new byte[kept];
    for (int i = 0; i < kept; i++) {
      end[i] = ring[(int) ((written - kept + i) % ring.length)];
    }
    int start = 0;
    while (written > ring.length && start < Math.min(3, kept) && isContinuation(end[start])) {
      start++;
    }
    return new String(end, start, kept - start, StandardCharsets.UTF_8).strip();
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xC0) == 0x80;
  }
}
