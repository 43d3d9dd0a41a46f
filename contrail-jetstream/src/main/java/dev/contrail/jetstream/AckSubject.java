package dev.contrail.jetstream;

/**
 * What the reply subject of a delivery says about it: {@code
 * $JS.ACK.<stream>.<consumer>.<delivered>.<sequence>.<consumer sequence>.<timestamp>.<pending>}, on
 * newer servers with domain and account before the stream and possibly a token at the end.
 *
 * @param publishedNanos when the stream stored the message, in nanoseconds since the epoch
 */
record AckSubject(long deliveries, long sequence, long publishedNanos) {
  private static final String PREFIX = "$JS.ACK.";

  /** How many dots it has. */
  private static final int SHORT_FORM = 8;

  private static final int LONG_FORM = 10;

  private static final int MOST_DIGITS = 19;

  static boolean isOne(String subject) {
    return subject.startsWith(PREFIX);
  }

  static AckSubject parse(String subject) {
    int deliveries = startOfDeliveries(subject);
    int sequence = subject.indexOf('.', deliveries) + 1;
    int consumerSequence = subject.indexOf('.', sequence) + 1;
    int timestamp = subject.indexOf('.', consumerSequence) + 1;
    return new AckSubject(
        number(subject, deliveries), number(subject, sequence), number(subject, timestamp));
  }

  /** The how-manieth delivery of its consumer it is: one more than the one before. */
  static long consumerSequence(String subject) {
    int at = subject.indexOf('.', startOfDeliveries(subject)) + 1;
    return number(subject, subject.indexOf('.', at) + 1);
  }

  private static int startOfDeliveries(String subject) {
    int dots = 0;
    int shortForm = 0;
    int longForm = 0;
    for (int dot = subject.indexOf('.'); dot >= 0; dot = subject.indexOf('.', dot + 1)) {
      dots++;
      if (dots == 4) {
        shortForm = dot + 1;
      } else if (dots == 6) {
        longForm = dot + 1;
      }
    }
    if (dots != SHORT_FORM && dots < LONG_FORM) {
      throw notOne(subject);
    }
    return dots == SHORT_FORM ? shortForm : longForm;
  }

  /** The digits from there to the next dot. Read for every message, so without any detour. */
  private static long number(String subject, int from) {
    long number = 0;
    int at = from;
    for (char digit = subject.charAt(at); digit != '.'; digit = subject.charAt(++at)) {
      if (digit < '0' || digit > '9' || at - from >= MOST_DIGITS) {
        throw notOne(subject);
      }
      number = 10 * number + (digit - '0');
    }
    if (at == from || number < 0) {
      throw notOne(subject);
    }
    return number;
  }

  private static IllegalArgumentException notOne(String subject) {
    return new IllegalArgumentException("not the reply subject of a delivery: " + subject);
  }
}
