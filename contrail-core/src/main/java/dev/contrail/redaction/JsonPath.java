package dev.contrail.redaction;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path into JSON. How far it is matched is a set of bits: bit n stands for n matched steps, since
 * with {@code ..} several can be true at once.
 */
final class JsonPath {
  private static final Pattern STEP =
      Pattern.compile(
          "(\\.\\.|\\.)?(?:\\[(\\d{1,9}|\\*)\\]|\\['([^']+)'\\]|([^.\\[\\]'\\s*]+|\\*))");
  private static final int MOST_STEPS = 60;

  /**
   * One step down.
   *
   * @param anywhere whether any number of levels may lie before it
   * @param name of a member; empty where it is of any member or element, or of an element
   * @param index of an element; -1 where it is not
   */
  private record Step(boolean anywhere, String name, int index) {
    private boolean isAny() {
      return name.isEmpty() && index < 0;
    }
  }

  private final List<Step> steps;

  private JsonPath(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException with one sentence for whoever wrote it
   */
  static JsonPath parse(String text) {
    String rest = text.strip();
    rest = rest.startsWith("$") ? rest.substring(1) : "." + rest;
    List<Step> steps = new ArrayList<>();
    Matcher step = STEP.matcher(rest);
    int at = 0;
    while (at < rest.length()) {
      boolean fits = step.find(at) && step.start() == at && isLegal(step);
      if (!fits || steps.size() == MOST_STEPS) {
        throw refused(text);
      }
      steps.add(step(step));
      at = step.end();
    }
    if (text.isBlank()) {
      throw refused(text);
    }
    return new JsonPath(steps);
  }

  private static boolean isLegal(Matcher step) {
    boolean bracket = step.group(2) != null || step.group(3) != null;
    return bracket ? step.group(1) == null || step.group(1).equals("..") : step.group(1) != null;
  }

  private static Step step(Matcher step) {
    boolean anywhere = "..".equals(step.group(1));
    if (step.group(2) != null) {
      return new Step(
          anywhere, "", step.group(2).equals("*") ? -1 : Integer.parseInt(step.group(2)));
    }
    String name = step.group(3) != null ? step.group(3) : step.group(4);
    return new Step(anywhere, name.equals("*") && step.group(3) == null ? "" : name, -1);
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(
        "'"
            + text
            + "' is no path into JSON; accepted are paths like $.card.number, $.items[*].price,"
            + " $..password.");
  }

  /** What is matched before anything was entered. */
  long start() {
    return 1;
  }

  boolean isWhole(long matched) {
    return (matched >> steps.size() & 1) != 0;
  }

  /** What is matched in a member of an object. */
  long member(long matched, String name) {
    return enter(matched, name, -1);
  }

  /** What is matched in an element of an array. */
  long element(long matched, int index) {
    return enter(matched, "", index);
  }

  private long enter(long matched, String name, int index) {
    long inside = 0;
    for (int i = 0; i < steps.size(); i++) {
      if ((matched >> i & 1) != 0) {
        Step step = steps.get(i);
        boolean fits =
            step.isAny()
                || (index >= 0
                    ? step.index() == index
                    : !step.name().isEmpty() && step.name().equals(name));
        inside |= fits ? 1L << (i + 1) : 0;
        inside |= step.anywhere() ? 1L << i : 0;
      }
    }
    return inside;
  }
}
