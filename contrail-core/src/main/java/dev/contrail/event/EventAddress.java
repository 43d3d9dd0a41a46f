package dev.contrail.event;

import dev.contrail.evidence.DeadLetterId;
import java.util.Arrays;
import java.util.Optional;

/**
 * Where an event of a dead letter is stored: {@code <prefix>.event.<id>.<family>.<…>}. Every
 * subject is written once, so whoever comes second learns that somebody was first.
 *
 * @param entry the dead letter
 * @param step which step it is, or of which step it tells; 0 for what belongs to none
 * @param rest what else the subject holds after the step, without a dot at either end
 */
public record EventAddress(DeadLetterId entry, Family family, int step, String rest) {
  /** What the event tells of. */
  public enum Family {
    /** What was decided. Steps are numbered from 1 without gaps. */
    STEP,
    /** How the replay of a step ended. There is one. */
    OUTCOME,
    /** Which copy of the replay of a step may run, or that none may. The newest turn counts. */
    RUN,
    /** That a copy was not run: it was for another consumer, or another copy was run. */
    SKIPPED,
    /** What somebody wrote down. */
    NOTE;

    private String token() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  private static final String EVENTS = ".event.";
  private static final int ID_TOKENS = 4;

  public static EventAddress step(DeadLetterId entry, int step) {
    return new EventAddress(entry, Family.STEP, step, "");
  }

  public static EventAddress outcome(DeadLetterId entry, int step) {
    return new EventAddress(entry, Family.OUTCOME, step, "");
  }

  /**
   * The claim of a copy to be run, or of whoever replays.
   *
   * @param turn 1 for the first claim; the next where the copy that claimed before it is gone
   *     without an outcome, or the one before it is of no copy
   */
  public static EventAddress run(DeadLetterId entry, int step, int turn) {
    return new EventAddress(entry, Family.RUN, step, Integer.toString(turn));
  }

  /** That the consumer acknowledged the copy and did not run it. */
  public static EventAddress skipped(
      DeadLetterId entry, int step, CopyPlace copy, String consumer) {
    return new EventAddress(
        entry, Family.SKIPPED, step, copy.stream() + "." + consumer + "." + copy.sequence());
  }

  /**
   * A note.
   *
   * @param token that no other note of the entry has
   */
  public static EventAddress note(DeadLetterId entry, String token) {
    return new EventAddress(entry, Family.NOTE, 0, token);
  }

  /** All events of an entry, as a filter. */
  public static String subjectsOf(String prefix, DeadLetterId entry) {
    return prefix + EVENTS + entry + ".>";
  }

  /** The subject under which it is stored. */
  public String subject(String prefix) {
    StringBuilder subject = new StringBuilder(96);
    subject.append(prefix).append(EVENTS).append(entry).append('.').append(family.token());
    if (step > 0) {
      subject.append('.').append(step);
    }
    if (!rest.isEmpty()) {
      subject.append('.').append(rest);
    }
    return subject.toString();
  }

  /** The address that {@link #subject} makes that subject of; empty where there is none. */
  public static Optional<EventAddress> ofSubject(String prefix, String subject) {
    String start = prefix + EVENTS;
    if (!subject.startsWith(start)) {
      return Optional.empty();
    }
    int end = endOfId(subject, start.length());
    if (end < 0) {
      return Optional.empty();
    }
    Optional<DeadLetterId> entry = DeadLetterId.read(subject.substring(start.length(), end));
    String[] tokens = subject.substring(end + 1).split("\\.", -1);
    return entry.flatMap(id -> of(id, tokens)).filter(it -> it.subject(prefix).equals(subject));
  }

  /** The dot after the fourth token, or -1. */
  private static int endOfId(String subject, int start) {
    int end = start - 1;
    for (int token = 0; token < ID_TOKENS; token++) {
      end = subject.indexOf('.', end + 1);
      if (end < 0) {
        return -1;
      }
    }
    return end;
  }

  private static Optional<EventAddress> of(DeadLetterId entry, String[] tokens) {
    Optional<Family> family =
        Arrays.stream(Family.values()).filter(one -> one.token().equals(tokens[0])).findFirst();
    if (family.isEmpty() || Arrays.asList(tokens).contains("")) {
      return Optional.empty();
    }
    if (family.get() == Family.NOTE) {
      return tokens.length == 2 ? Optional.of(note(entry, tokens[1])) : Optional.empty();
    }
    int step = tokens.length < 2 ? 0 : number(tokens[1]);
    int restTokens = tokens.length - 2;
    boolean fits =
        switch (family.get()) {
          case STEP, OUTCOME -> restTokens == 0;
          case RUN -> restTokens == 1 && number(tokens[2]) > 0;
          case SKIPPED -> restTokens == 3;
          case NOTE -> false;
        };
    return fits && step > 0
        ? Optional.of(
            new EventAddress(
                entry,
                family.get(),
                step,
                String.join(".", Arrays.asList(tokens).subList(2, tokens.length))))
        : Optional.empty();
  }

  private static int number(String token) {
    boolean digits = token.length() <= 9 && token.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits ? Integer.parseInt(token) : 0;
  }
}
