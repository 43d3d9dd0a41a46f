package dev.contrail.jetstream.doctor;

import java.util.List;
import java.util.Optional;

/**
 * Something that is not as it should be.
 *
 * @param stream where; empty for what concerns the whole account
 * @param consumer where, if it concerns one of the stream's consumers
 * @param found what was found, with its values; a sentence without its full stop
 * @param why what follows from it; a sentence without its full stop
 * @param mend commands that mend it, fit to be pasted
 */
public record Finding(
    Rule rule,
    Optional<String> stream,
    Optional<String> consumer,
    String found,
    String why,
    List<String> mend) {
  public Finding {
    mend = List.copyOf(mend);
  }

  /** Concerns the whole account. */
  public static Finding of(Rule rule, String found, String... mend) {
    return new Finding(rule, Optional.empty(), Optional.empty(), found, rule.why(), List.of(mend));
  }

  /** Concerns a stream. */
  public static Finding of(Rule rule, String stream, String found, List<String> mend) {
    return new Finding(rule, Optional.of(stream), Optional.empty(), found, rule.why(), mend);
  }

  /** Concerns a consumer. */
  public static Finding of(
      Rule rule, String stream, String consumer, String found, List<String> mend) {
    return new Finding(rule, Optional.of(stream), Optional.of(consumer), found, rule.why(), mend);
  }

  /** The same with a reason of its own. */
  public Finding because(String reason) {
    return new Finding(rule, stream, consumer, found, reason, mend);
  }

  /** What was found, why it matters and its code, for a log. */
  @Override
  public String toString() {
    return found + " (" + why + ") " + rule.tag();
  }
}
