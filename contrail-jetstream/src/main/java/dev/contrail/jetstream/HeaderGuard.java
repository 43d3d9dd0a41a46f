package dev.contrail.jetstream;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a NATS server sends and hands it on unchanged, except for messages whose header block
 * would kill jnats' reader thread: those get a block it can read, which carries the original one;
 * and except for messages that have a {@link Shortcuts shortcut}, which are handed over whole.
 *
 * <p>Only control lines and header blocks are looked at. A message's control line and header block
 * are held back until both are whole, for the sizes in the line may have to change; payloads are
 * passed on by count. Not thread-safe, as the reader is one thread.
 */
final class HeaderGuard {
  private static final int INITIAL_CAPACITY = 64 * 1024;
  private static final int KEPT_CAPACITY = 1024 * 1024;
  private static final int LONGEST_LINE = 1024 * 1024;
  private static final byte[] ACK_PREFIX = AckSubject.prefixBytes();

  private byte[] buffer = new byte[INITIAL_CAPACITY];

  /** Bytes before {@code start} are handed out, those before {@code safe} may be. */
  private int start;

  private int safe;
  private int end;

  /** No line end lies between {@code safe} and here. */
  private int scanned;

  /** Bytes of payload and line end still to come that need no look. */
  private long skip;

  private byte @Nullable [] rewritten;
  private int rewrittenAt;

  private final Shortcuts shortcuts;
  private final MessageLine line = new MessageLine();

  /** A message of which not all has come yet. What is read next goes into it. */
  private @Nullable Parcel parcel;

  /** Bytes still to come that are for nobody: the line end of such a message. */
  private int drop;

  HeaderGuard(Shortcuts shortcuts) {
    this.shortcuts = shortcuts;
  }

  /** A message on its way, its head whole, its payload growing. */
  private static final class Parcel {
    final Shortcuts.Taker taker;
    final WireMessage message;
    int filled;

    Parcel(Shortcuts.Taker taker, WireMessage message) {
      this.taker = taker;
      this.message = message;
    }

    boolean isWhole() {
      return filled == message.data().length;
    }
  }

  /** As {@link InputStream#read(byte[], int, int)}, from {@code in} and what is held back of it. */
  int read(InputStream in, byte[] dst, int off, int len) throws IOException {
    if (len == 0) {
      return 0;
    }
    while (true) {
      int count = drain(dst, off, len);
      if (count > 0) {
        return count;
      }
      if (!fill(in)) {
        return -1;
      }
    }
  }

  /** Whether bytes were read that are not handed out yet. */
  boolean holdsBytes() {
    return rewritten != null || start < end;
  }

  private int drain(byte[] dst, int off, int len) throws IOException {
    if (rewritten == null) {
      scan();
    }
    byte[] replacement = rewritten;
    if (replacement != null) {
      int count = Math.min(len, replacement.length - rewrittenAt);
      System.arraycopy(replacement, rewrittenAt, dst, off, count);
      rewrittenAt += count;
      if (rewrittenAt == replacement.length) {
        rewritten = null;
        rewrittenAt = 0;
      }
      return count;
    }
    int count = Math.min(len, safe - start);
    System.arraycopy(buffer, start, dst, off, count);
    start += count;
    return count;
  }

  private boolean fill(InputStream in) throws IOException {
    Parcel growing = parcel;
    if (growing != null) {
      return fill(growing, in);
    }
    makeRoom();
    int count = in.read(buffer, end, buffer.length - end);
    if (count < 0) {
      return false;
    }
    end += count;
    return true;
  }

  /** Straight to where it belongs: nothing is copied twice, and large ones need no large buffer. */
  private boolean fill(Parcel growing, InputStream in) throws IOException {
    byte[] data = growing.message.data();
    int count = in.read(data, growing.filled, data.length - growing.filled);
    if (count < 0) {
      return false;
    }
    growing.filled += count;
    handOver(growing);
    return true;
  }

  private void makeRoom() {
    int held = end - start;
    if (held == 0 && buffer.length > KEPT_CAPACITY) {
      buffer = new byte[INITIAL_CAPACITY];
    } else if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, held);
    } else if (end == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    safe -= start;
    scanned -= start;
    end = held;
    start = 0;
  }

  private void scan() throws IOException {
    while (safe < end && rewritten == null) {
      if (drop > 0) {
        int count = Math.min(drop, end - safe);
        drop -= count;
        pass(safe + count);
        start = safe;
      } else if (skip > 0) {
        int count = (int) Math.min(skip, end - safe);
        skip -= count;
        pass(safe + count);
      } else {
        int lineEnd = lineEnd();
        if (lineEnd < 0 || !takeLine(lineEnd)) {
          return;
        }
      }
    }
  }

  private void pass(int to) {
    safe = to;
    scanned = to;
  }

  /** The position after the control line that begins at {@code safe}, or -1 if it is not whole. */
  private int lineEnd() throws IOException {
    byte[] b = buffer;
    int at = Math.max(scanned, safe + 1);
    while (at < end && (b[at] != '\n' || b[at - 1] != '\r')) {
      at++;
    }
    scanned = at;
    if (at < end) {
      return at + 1;
    }
    if (at - safe > LONGEST_LINE) {
      throw new IOException("The server sent a control line longer than " + LONGEST_LINE);
    }
    return -1;
  }

  /** Takes the control line that ends before {@code lineEnd}; false when more bytes are needed. */
  private boolean takeLine(int lineEnd) throws IOException {
    int op = ControlLine.op(buffer, safe, lineEnd);
    if (op == ControlLine.OTHER) {
      pass(lineEnd);
      return true;
    }
    long total = ControlLine.size(buffer, safe, lineEnd, 0);
    long headers = op == ControlLine.MSG ? 0 : ControlLine.size(buffer, safe, lineEnd, 1);
    if (headers > total) {
      throw new IOException("The server sent a message with more headers than message");
    }
    if (headers > end - lineEnd) {
      return false;
    }
    Shortcuts.Taker taker = taker(lineEnd, op == ControlLine.MSG ? 1 : 2);
    if (taker != null) {
      return takeMessage(taker, lineEnd, (int) headers, (int) (total - headers));
    }
    if (op == ControlLine.MSG) {
      skip = total + 2;
      pass(lineEnd);
      return true;
    }
    return takeHeaders(lineEnd, lineEnd + (int) headers, total - headers);
  }

  private Shortcuts.@Nullable Taker taker(int lineEnd, int sizes) {
    if (!shortcuts.isAnyOpen()) {
      return null;
    }
    line.read(buffer, safe, lineEnd, sizes);
    return shortcuts.taker(line.subscription());
  }

  private boolean takeMessage(Shortcuts.Taker taker, int lineEnd, int headers, int payload) {
    if (start < safe) {
      return false;
    }
    int body = lineEnd + headers;
    Parcel whole = new Parcel(taker, line.message(buffer, lineEnd, headers, payload));
    whole.filled = Math.min(payload, end - body);
    System.arraycopy(buffer, body, whole.message.data(), 0, whole.filled);
    pass(body + whole.filled);
    start = safe;
    parcel = whole;
    handOver(whole);
    return parcel == null;
  }

  private void handOver(Parcel growing) {
    if (growing.isWhole()) {
      parcel = null;
      drop = 2;
      growing.taker.take(growing.message);
    }
  }

  private boolean takeHeaders(int from, int to, long payload) {
    WireHeaders.Kind kind = WireHeaders.kind(buffer, from, to);
    boolean plain = kind == WireHeaders.Kind.PLAIN;
    // The server's own status messages never ask for an ack: one that does was published so.
    if (plain || (kind == WireHeaders.Kind.STATUS && !isJetStreamMessage(from))) {
      skip = payload + 2;
      pass(to);
      return true;
    }
    if (start < safe) {
      return false;
    }
    byte[] block = WireHeaders.harmless(Arrays.copyOfRange(buffer, from, to));
    rewritten = ControlLine.withSizes(buffer, safe, from, block, payload);
    skip = payload + 2;
    pass(to);
    start = to;
    return true;
  }

  private boolean isJetStreamMessage(int lineEnd) {
    return ControlLine.hasReply(buffer, safe, lineEnd, ACK_PREFIX);
  }
}
