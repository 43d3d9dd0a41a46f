package dev.contrail.cli.drill.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;

/** Looks through what a connection is about to write, for one message. */
final class Wire {
  private static final int LINE_END = 2;
  private static final int WORD = 5;

  /** Says which message is meant. */
  interface Watch {
    boolean isHere(String subject, String bodyStart);

    /** Whether the message still goes out. */
    boolean isAfter();

    /** Does not return. */
    void reached(String subject);
  }

  /**
   * Where to stop.
   *
   * @param length how much still goes out
   */
  record Stop(int length, String subject) {}

  private Wire() {}

  /** The client hands over whole messages. */
  static Optional<Stop> stop(byte[] b, int length, Watch watch) {
    int at = 0;
    while (at < length) {
      int lineEnd = lineEnd(b, at, length);
      int next = lineEnd;
      if (isPublish(b, at)) {
        String[] words = new String(b, at, lineEnd - at, UTF_8).strip().split(" +", -1);
        int size = Integer.parseInt(words[words.length - 1]);
        next = lineEnd + size + LINE_END;
        if (watch.isHere(words[1], new String(b, lineEnd, Math.min(size, WORD), US_ASCII))) {
          return Optional.of(new Stop(watch.isAfter() ? next : at, words[1]));
        }
      }
      at = next;
    }
    return Optional.empty();
  }

  private static boolean isPublish(byte[] b, int at) {
    int name = b[at] == 'H' ? at + 1 : at;
    return b[name] == 'P' && b[name + 1] == 'U';
  }

  private static int lineEnd(byte[] b, int from, int end) {
    int at = from;
    while (at < end && b[at] != '\n') {
      at++;
    }
    return Math.min(at + 1, end);
  }
}
