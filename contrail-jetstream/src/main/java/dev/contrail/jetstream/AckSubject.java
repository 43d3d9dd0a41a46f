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
  private static final int SHORT_FORM = 9;
  private static final int LONG_FORM = 11;

  static boolean isOne(String subject) {
    return subject.startsWith(PREFIX);
  }

  static AckSubject parse(String subject) {
    int at = startOfDeliveries(subject);
    long deliveries = number(subject, at);
    at = subject.indexOf('.', at) + 1;
    long sequence = number(subject, at);
    at = subject.indexOf('.', at) + 1;
    at = subject.indexOf('.', at) + 1;
    return new AckSubject(deliveries, sequence, number(subject, at));
  }

  /** The how-manieth delivery of its consumer it is: one more than the one before. */
  static long consumerSequence(String subject) {
    int at = subject.indexOf('.', startOfDeliveries(subject)) + 1;
    return number(subject, subject.indexOf('.', at) + 1);
  }

  private static int startOfDeliveries(String subject) {
    int tokens = 1;
    for (int i = 0; i < subject.length(); i++) {
      if (subject.charAt(i) == '.') {
        tokens++;
      }
    }
    if (tokens != SHORT_FORM && tokens < LONG_FORM) {
      throw new IllegalArgumentException("not the reply subject of a delivery: " + subject);
    }
    return startOf(subject, tokens == SHORT_FORM ? 4 : 6);
  }

  private static int startOf(String subject, int token) {
    int at = 0;
    for (int i = 0; i < token; i++) {
      at = subject.indexOf('.', at) + 1;
    }
    return at;
  }

  private static long number(String subject, int from) {
    return Long.parseLong(subject, from, subject.indexOf('.', from), 10);
  }
}
