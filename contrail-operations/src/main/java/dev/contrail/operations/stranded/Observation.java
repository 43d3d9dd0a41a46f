package dev.contrail.operations.stranded;

import java.util.List;
import java.util.Map;

/**
 * What the server told of a workqueue or interest stream, in the order in which it was asked: where
 * the stream ended, its consumers, the messages of each subject, where the stream ended then, and
 * the consumers once more, a while later.
 *
 * @param lastBefore the last sequence before all else
 * @param first the consumers
 * @param subjects how many messages each subject has
 * @param lastAfter the last sequence after the subjects were counted
 * @param second the consumers again
 * @param readers streams that copy from this one; most servers do not list their consumers
 */
public record Observation(
    long lastBefore,
    List<ConsumerView> first,
    Map<String, Long> subjects,
    long lastAfter,
    List<ConsumerView> second,
    List<Reader> readers) {

  /**
   * A stream that sources or mirrors another one.
   *
   * @param filters what it copies; none for all
   */
  public record Reader(String stream, List<String> filters) {}

  /** The same with another second look at the consumers. */
  public Observation withSecond(List<ConsumerView> consumers) {
    return new Observation(lastBefore, first, subjects, lastAfter, consumers, readers);
  }

  /** How many messages may have come while the subjects were counted. */
  long published() {
    return Math.max(0, lastAfter - lastBefore);
  }
}
