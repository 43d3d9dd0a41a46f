package dev.contrail.cli.drill.account;

/**
 * Work that was done more than once.
 *
 * @param afterCrash a worker died, or was frozen, after the work and before the record: not
 *     promised otherwise
 * @param overlapping two workers were at it at once, as when one was frozen: not promised otherwise
 * @param afterRecord begun although the completion was recorded
 * @param unexplained none of these
 */
public record Duplicates(int afterCrash, int overlapping, int afterRecord, int unexplained) {
  public static final Duplicates NONE = new Duplicates(0, 0, 0, 0);

  public int total() {
    return afterCrash + overlapping + afterRecord + unexplained;
  }

  /** With those of another drill. */
  public Duplicates plus(Duplicates other) {
    return new Duplicates(
        afterCrash + other.afterCrash,
        overlapping + other.overlapping,
        afterRecord + other.afterRecord,
        unexplained + other.unexplained);
  }
}
