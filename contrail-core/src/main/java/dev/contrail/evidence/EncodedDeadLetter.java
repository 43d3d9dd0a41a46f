package dev.contrail.evidence;

import dev.contrail.Headers;
import java.util.List;

/**
 * A dead letter ready to be stored: first all the parts, in any order, under {@link
 * DeadLetterId#partSubject}, then the head, create-once, under {@link DeadLetterId#subject}. Only
 * the head makes a dead letter.
 */
public record EncodedDeadLetter(DeadLetterId id, List<Part> parts, Head head) {
  /**
   * What did not fit into the head.
   *
   * @param number from 1
   * @param sha256 of the data, in lower-case hex
   */
  @SuppressWarnings("ArrayRecordComponent") // made to be published, not to be compared
  public record Part(int number, byte[] data, String sha256) {}

  /**
   * The message that makes the dead letter.
   *
   * @param headers all of printable ASCII, under names and with values that any client can publish
   * @param body the original payload, empty where that is in the parts
   */
  @SuppressWarnings("ArrayRecordComponent") // made to be published, not to be compared
  public record Head(Headers headers, byte[] body) {}
}
