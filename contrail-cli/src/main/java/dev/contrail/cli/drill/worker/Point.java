package dev.contrail.cli.drill.worker;

import java.util.List;
import java.util.Locale;

/**
 * Where a process is killed: by what it is about to send, or has just sent. What goes over the wire
 * is what others can know of its steps, so nothing in the worker has to know of these points.
 */
public enum Point {
  /** The dead letter is not stored yet. */
  BEFORE_EVIDENCE("before the evidence", Sent.EVIDENCE, false),
  /** The dead letter is stored, and the message is still to be terminated. */
  AFTER_EVIDENCE("after the evidence, before the Term", Sent.TERM, false),
  /** The message is terminated. */
  AFTER_TERM("after the Term", Sent.TERM, true),
  /** The handler is done, and nobody knows. */
  BEFORE_RECORD("before the record", Sent.RECORD, false),
  /** The completion is recorded, and the message is still to be acknowledged. */
  AFTER_RECORD("after the record, before the ack", Sent.ACK, false),
  /** The message is acknowledged. */
  AFTER_ACK("after the ack", Sent.ACK, true),
  /** The replay of an entry is not decided yet. */
  BEFORE_STEP("before the decision to replay", Sent.STEP, false),
  /** The replay of an entry is decided, and no copy is published. */
  BEFORE_COPY("after the decision, before the copy", Sent.COPY, false),
  /** The copy is published, and the plan does not know. */
  AFTER_COPY("after the copy", Sent.COPY, true),
  /** The copy is confirmed, and the plan does not know. */
  BEFORE_PROGRESS("before the plan's progress", Sent.PROGRESS, false);

  /** What a process sends. */
  enum Sent {
    EVIDENCE,
    TERM,
    RECORD,
    ACK,
    STEP,
    COPY,
    PROGRESS
  }

  public static final List<Point> AROUND_EVIDENCE =
      List.of(BEFORE_EVIDENCE, AFTER_EVIDENCE, AFTER_TERM);
  public static final List<Point> AROUND_ACK = List.of(BEFORE_RECORD, AFTER_RECORD, AFTER_ACK);
  public static final List<Point> OF_REPLAY =
      List.of(BEFORE_STEP, BEFORE_COPY, AFTER_COPY, BEFORE_PROGRESS);

  private final String words;
  private final Sent sent;
  private final boolean after;

  Point(String words, Sent sent, boolean after) {
    this.words = words;
    this.sent = sent;
    this.after = after;
  }

  /** Such as {@code after the Term}. */
  public String words() {
    return words;
  }

  /** Such as {@code after-term}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Sent sent() {
    return sent;
  }

  /** Whether what is sent still goes out. */
  public boolean isAfter() {
    return after;
  }
}
