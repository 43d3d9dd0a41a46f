package dev.contrail.cli.drill.scenario;

import java.util.Arrays;
import java.util.List;

/** Tells from the subject of an acknowledgement which message it is of. */
final class AckedMessage {
  private static final int FROM_STREAM_TO_SEQUENCE = 3;

  private AckedMessage() {}

  /** The sequence in the stream; 0 if it is no such subject. */
  static long sequence(String subject, String stream) {
    List<String> tokens = Arrays.asList(subject.split("\\.", -1));
    int at = tokens.indexOf(stream);
    boolean ack = subject.startsWith("$JS.ACK.") && at > 0;
    return ack && at + FROM_STREAM_TO_SEQUENCE < tokens.size()
        ? Long.parseLong(tokens.get(at + FROM_STREAM_TO_SEQUENCE))
        : 0;
  }
}
