package dev.contrail.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a piece of a plan is stored: {@code <prefix>.event._plan.<plan>.<part>.<number>}. Every
 * subject is written once.
 *
 * @param number from 1; 0 for the head, of which there is one
 */
public record PlanAddress(String plan, Part part, int number) {
  /** What a piece tells. */
  public enum Part {
    /** Which dead letters. */
    ENTRIES,
    /** Who decided, and how it is to be done. Only the head makes a plan. */
    HEAD,
    /** What was done. */
    PROGRESS,
    /** Who runs it, or that it was ended. The newest counts. */
    STATE;

    private String token() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String PLANS = ".event._plan.";
  private static final Pattern PLAN = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");

  public PlanAddress {
    if (!isPlan(plan)) {
      throw new IllegalArgumentException("'" + plan + "' is no plan.");
    }
  }

  /** Whether a plan can be called so. */
  public static boolean isPlan(String text) {
    return PLAN.matcher(text).matches();
  }

  public static PlanAddress head(String plan) {
    return new PlanAddress(plan, Part.HEAD, 0);
  }

  public static PlanAddress entries(String plan, int number) {
    return new PlanAddress(plan, Part.ENTRIES, number);
  }

  public static PlanAddress progress(String plan, int number) {
    return new PlanAddress(plan, Part.PROGRESS, number);
  }

  public static PlanAddress state(String plan, int number) {
    return new PlanAddress(plan, Part.STATE, number);
  }

  /** All pieces of all plans, as a filter. */
  public static String allSubjects(String prefix) {
    return prefix + PLANS + ">";
  }

  /** All pieces of one plan, as a filter. */
  public static String subjectsOf(String prefix, String plan) {
    return prefix + PLANS + plan + ".>";
  }

  /** The subject under which it is stored. */
  public String subject(String prefix) {
    String subject = prefix + PLANS + plan + "." + part.token();
    return part == Part.HEAD ? subject : subject + "." + number;
  }

  /** The address that {@link #subject} makes that subject of; empty where there is none. */
  public static Optional<PlanAddress> ofSubject(String prefix, String subject) {
    String start = prefix + PLANS;
    String[] tokens =
        subject.startsWith(start)
            ? subject.substring(start.length()).split("\\.", -1)
            : new String[0];
    if (tokens.length < 2 || tokens.length > 3 || !isPlan(tokens[0])) {
      return Optional.empty();
    }
    Optional<Part> part =
        Arrays.stream(Part.values()).filter(one -> one.token().equals(tokens[1])).findFirst();
    boolean numbered = tokens.length == 3 && NUMBER.matcher(tokens[2]).matches();
    boolean fits = part.map(one -> one == Part.HEAD ? tokens.length == 2 : numbered).orElse(false);
    return fits
        ? part.map(
            one -> new PlanAddress(tokens[0], one, numbered ? Integer.parseInt(tokens[2]) : 0))
        : Optional.empty();
  }
}
