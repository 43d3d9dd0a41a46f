package dev.contrail.evidence;

/**
 * How large a stored message may be, as the server counts.
 *
 * @param maxMessageBytes header block and payload together: the smaller of the server's {@code
 *     max_payload} and the dead-letter stream's {@code max_msg_size}
 * @param maxHeaderBytes the header block alone; servers refuse more than 65,535 in a stream
 */
public record Limits(int maxMessageBytes, int maxHeaderBytes) {
  /** A dead letter needs this much to be written in every case. */
  public static final int SMALLEST = 4 * 1024;

  private static final int SERVER_HEADER_BYTES = 65_535;

  public Limits {
    maxHeaderBytes = Math.min(maxHeaderBytes, SERVER_HEADER_BYTES);
    if (Math.min(maxMessageBytes, maxHeaderBytes) < SMALLEST) {
      throw new IllegalArgumentException(
          "Dead letters need room for messages and headers of at least "
              + SMALLEST
              + " bytes, but messages may have "
              + maxMessageBytes
              + " and headers "
              + maxHeaderBytes
              + ".");
    }
  }

  /** Messages of that size, and headers as large as servers take them. */
  public static Limits ofMessages(long maxMessageBytes) {
    return new Limits((int) Math.min(maxMessageBytes, Integer.MAX_VALUE), SERVER_HEADER_BYTES);
  }
}
