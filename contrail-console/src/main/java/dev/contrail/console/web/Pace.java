package dev.contrail.console.web;

/**
 * How often pages are told that something changed: at every look while few are open, and less often
 * the more there are, so that all together ask for no more than a few can. No change is forgotten.
 */
final class Pace {
  /** So many more pages are told half as often, then a third as often, and so on. */
  private static final int PAGES_A_LOOK = 20;

  private long last = Long.MIN_VALUE;
  private boolean untold;
  private int looks;

  /**
   * One look.
   *
   * @param changes a number that grows with every change
   * @param pages how many are open
   * @return whether to tell them now
   */
  boolean isTime(long changes, int pages) {
    untold |= changes != last;
    last = changes;
    looks++;
    if (!untold || looks <= pages / PAGES_A_LOOK) {
      return false;
    }
    untold = false;
    looks = 0;
    return true;
  }
}
