package dev.contrail.operations.replay;

/**
 * How it stands with the entries of a plan.
 *
 * @param open not begun with
 * @param waiting published, and the outcome will be known
 * @param unknown published, and the outcome will not be known
 * @param inferred how many of the resolved ones were concluded to be so
 * @param returned died again
 * @param failed could not be published
 * @param leftOut not decided on
 */
public record Tally(
    int open,
    int waiting,
    int unknown,
    int resolved,
    int inferred,
    int returned,
    int failed,
    int leftOut) {
  /** How many copies were published. */
  public int replayed() {
    return waiting + unknown + resolved + returned;
  }

  /** Whether all that can be known is known. */
  public boolean isComplete() {
    return open == 0 && waiting == 0;
  }

  /** Whether every entry was replayed, and none came back as far as is known. */
  public boolean isFine() {
    return open == 0 && returned == 0 && failed == 0 && leftOut == 0;
  }
}
