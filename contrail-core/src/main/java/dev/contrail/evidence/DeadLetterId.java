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

  /** Ids that come from elsewhere may have a dash of another meaning. */
  private static final Pattern LATER_EPOCH = Pattern.compile("(.+)-([1-9][0-9]{0,17})");

  private static final int LONGEST_SEQUENCE = 19;
  private static final char DELETE = 0x7F;

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
    Matcher later = LATER_EPOCH.matcher(incarnation);
    String base = later.matches() ? later.group(1) : incarnation;
    long epoch = later.matches() ? Long.parseLong(later.group(2)) : 1;
    return new DeadLetterId(stream, consumer, base + EPOCH + (epoch + 1), sequence);
  }

  /** Whether the stream had given out the sequence before. */
  public boolean isOfLaterEpoch() {
    return LATER_EPOCH.matcher(incarnation).matches();
  }

  @Override
  public String toString() {
    return stream + "." + consumer + "." + incarnation + "." + sequence;
  }

  /** Whether it can stand in an id as the name of a stream or a consumer. */
  public static boolean isToken(String name) {
    return isToken(name, 0, name.length());
  }

  private static void requireToken(String what, String token) {
    if (!isToken(token)) {
      throw new IllegalArgumentException(
          "The "
              + what
              + " '"
              + token
              + "' cannot stand in the id of a dead letter:"
              + " it must not be empty nor hold blanks, '.', '*' or '>'.");
    }
  }

  /** Looked at by hand: every subject and every id that is read comes along here, many times. */
  private static boolean isToken(String text, int start, int end) {
    for (int at = start; at < end; at++) {
      char c = text.charAt(at);
      if (c <= ' ' || c == '.' || c == '*' || c == '>' || c == DELETE) {
        return false;
      }
    }
    return start < end;
  }

  /** The same as {@link #parse}, empty where it is no id. */
  public static Optional<DeadLetterId> read(String text) {
    int consumer = text.indexOf('.') + 1;
    int incarnation = consumer == 0 ? 0 : text.indexOf('.', consumer) + 1;
    int sequence = incarnation == 0 ? 0 : text.indexOf('.', incarnation) + 1;
    boolean fits =
        sequence > 0
            && isToken(text, 0, consumer - 1)
            && isToken(text, consumer, incarnation - 1)
            && isToken(text, incarnation, sequence - 1)
            && isSequence(text, sequence);
    if (!fits) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new DeadLetterId(
              text.substring(0, consumer - 1),
              text.substring(consumer, incarnation - 1),
              text.substring(incarnation, sequence - 1),
              Long.parseLong(text.substring(sequence))));
    } catch (NumberFormatException beyondLong) {
      return Optional.empty();
    }
  }

  private static boolean isSequence(String text, int start) {
    int digits = text.length() - start;
    if (digits < 1 || digits > LONGEST_SEQUENCE || text.charAt(start) == '0') {
      return false;
    }
    for (int at = start; at < text.length(); at++) {
      if (text.charAt(at) < '0' || text.charAt(at) > '9') {
        return false;
      }
    }
    return true;
  }
}
