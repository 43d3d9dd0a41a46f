package dev.contrail.simulation.model;

/**
 * The reply subject of a delivery: which message, the how manieth time.
 *
 * @param nanos when the message was stored; the server looks at neither this nor {@code pending}
 *     when it is acked, so both may be made up
 */
public record AckSubject(
    String stream,
    String consumer,
    long deliveries,
    long streamSequence,
    long consumerSequence,
    long nanos,
    long pending) {
  private static final int TOKENS = 9;

  /**
   * Reads a reply subject as a client gets it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static AckSubject parse(String subject) {
    String[] tokens = subject.split("\\.", -1);
    if (tokens.length != TOKENS || !subject.startsWith("$JS.ACK.")) {
      throw new IllegalArgumentException(subject + " is not the reply subject of a delivery");
    }
    return new AckSubject(
        tokens[2],
        tokens[3],
        Long.parseLong(tokens[4]),
        Long.parseLong(tokens[5]),
        Long.parseLong(tokens[6]),
        Long.parseLong(tokens[7]),
        Long.parseLong(tokens[8]));
  }

  /** The same for a stream of another name. */
  AckSubject in(String otherStream) {
    return new AckSubject(
        otherStream, consumer, deliveries, streamSequence, consumerSequence, nanos, pending);
  }

  @Override
  public String toString() {
    return String.join(
        ".",
        "$JS.ACK",
        stream,
        consumer,
        Long.toString(deliveries),
        Long.toString(streamSequence),
        Long.toString(consumerSequence),
        Long.toString(nanos),
        Long.toString(pending));
  }
}
