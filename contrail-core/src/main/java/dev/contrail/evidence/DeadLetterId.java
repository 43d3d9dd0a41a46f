package dev.contrail.evidence;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names the death of one message for one consumer, for ever: {@code
 * <stream>.<consumer>.<incarnation>.<sequence>}.
 *
 * @param consumer {@link #ORPHAN} for a message that no consumer claimed
 * @param incarnation tells streams of the same name apart, see {@link Incarnation}
 */
public record DeadLetterId(String stream, String consumer, String incarnation, long sequence) {
  /** Stands in the consumer's place for a message that no consumer claimed. */
  public static final String ORPHAN = "_orphan";

  private static final String HEADS = ".dlq.";
  private static final char EPOCH = '-';
  private static final Pattern TOKEN = Pattern.compile("[^.*>\\s\\p{Cntrl}]+");
  private static final Pattern ID =
      Pattern.compile("(%1$s)\\.(%1$s)\\.(%1$s)\\.([1-9]\\d{0,18})".formatted(TOKEN));

  public DeadLetterId {
    requireToken("stream name", stream);
    requireToken("consumer name", consumer);
    requireToken("incarnation", incarnation);
    if (sequence < 1) {
      throw new IllegalArgumentException(
          "The sequence of a dead letter must be at least 1, not " + sequence + ".");
    }
  }

  /**
   * The id that {@link #toString} writes so.
   *
   * @throws IllegalArgumentException with one sentence for whoever typed it, when it is no id
   */
  public static DeadLetterId parse(String text) {
    return read(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + text
                        + "' is no id of a dead letter;"
                        + " one reads STREAM.CONSUMER.INCARNATION.SEQUENCE,"
                        + " such as ORDERS.billing.g2k3x9a1b.42."));
  }

  /** The id of the dead letter stored under that subject, empty where none can be. */
  public static Optional<DeadLetterId> ofSubject(String prefix, String subject) {
    String start = prefix + HEADS;
    return subject.startsWith(start) ? read(subject.substring(start.length())) : Optional.empty();
  }

  /** Where the dead letter is stored. */
  public String subject(String prefix) {
    return prefix + HEADS + this;
  }

  /**
   * Where one of its parts is stored; parts count from 1. With the hash in it, writers that cut the
   * same message differently do not meet.
   */
  public String partSubject(String prefix, int number, String sha256) {
    return prefix + ".part." + this + "." + number + "." + sha256;
  }

  /**
   * The id of another message of the same sequence, which the stream gave out again: {@code inc},
   * {@code inc-2}, {@code inc-3} … are the incarnations of a stream that began anew.
   */
  public DeadLetterId nextEpoch() {
    int dash = incarnation.indexOf(EPOCH);
    String base = dash < 0 ? incarnation : incarnation.substring(0, dash);
    int epoch = dash < 0 ? 1 : Integer.parseInt(incarnation.substring(dash + 1));
    return new DeadLetterId(stream, consumer, base + EPOCH + (epoch + 1), sequence);
  }

  /** Whether the stream had given out the sequence before. */
  public boolean isOfLaterEpoch() {
    return incarnation.indexOf(EPOCH) >= 0;
  }

  @Override
  public String toString() {
    return stream + "." + consumer + "." + incarnation + "." + sequence;
  }

  private static void requireToken(String what, String token) {
    if (!TOKEN.matcher(token).matches()) {
      throw new IllegalArgumentException(
          "The "
              + what
              + " '"
              + token
              + "' cannot stand in the id of a dead letter:"
              + " it must not be empty nor hold blanks, '.', '*' or '>'.");
    }
  }

  /** The same as {@link #parse}, empty where it is no id. */
  public static Optional<DeadLetterId> read(String text) {
    Matcher id = ID.matcher(text);
    if (!id.matches()) {
      return Optional.empty();
    }
    try {
      long sequence = Long.parseLong(id.group(4));
      return Optional.of(new DeadLetterId(id.group(1), id.group(2), id.group(3), sequence));
    } catch (NumberFormatException beyondLong) {
      return Optional.empty();
    }
  }
}
