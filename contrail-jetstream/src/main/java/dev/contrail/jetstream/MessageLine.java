package dev.contrail.jetstream;

/**
 * Takes the control line of a message apart: {@code MSG <subject> <subscription> [reply] <size>},
 * or {@code HMSG} with the size of the headers before that of all. Used again for every line, so
 * that none costs an object.
 */
final class MessageLine {
  private int subject;
  private int subjectEnd;
  private int reply;
  private int replyEnd;
  private long subscription;

  /** Takes a line apart; {@code sizes} is how many numbers stand at its end. */
  void read(byte[] b, int from, int to, int sizes) {
    subject = afterBlank(b, from, to);
    int number = afterBlank(b, subject, to);
    subjectEnd = number - 1;
    reply = afterBlank(b, number, to);
    subscription = number(b, number, reply - 1);
    int rest = reply;
    for (int i = 0; i < sizes; i++) {
      rest = afterBlank(b, rest, to);
    }
    // Where the line ends with the sizes, there is no reply before them.
    replyEnd = rest == to ? reply : afterBlank(b, reply, to) - 1;
  }

  /** The number of the subscription that it is for. */
  long subscription() {
    return subscription;
  }

  /** The message whose line was read last, with room for its payload. */
  WireMessage message(byte[] b, int headersFrom, int headers, int payload) {
    int subjectLength = subjectEnd - subject;
    int replyLength = replyEnd - reply;
    byte[] head = new byte[subjectLength + replyLength + headers];
    System.arraycopy(b, subject, head, 0, subjectLength);
    System.arraycopy(b, reply, head, subjectLength, replyLength);
    System.arraycopy(b, headersFrom, head, subjectLength + replyLength, headers);
    return new WireMessage(head, subjectLength, subjectLength + replyLength, new byte[payload]);
  }

  private static int afterBlank(byte[] b, int from, int to) {
    int at = from;
    while (at < to && b[at] != ' ') {
      at++;
    }
    return Math.min(at + 1, to);
  }

  private static long number(byte[] b, int from, int to) {
    long number = 0;
    for (int at = from; at < to; at++) {
      number = 10 * number + (b[at] - '0');
    }
    return number;
  }
}
