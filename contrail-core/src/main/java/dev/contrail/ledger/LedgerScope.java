package dev.contrail.ledger;

/**
 * Whose completions a ledger keeps.
 *
 * @param incarnation which stream of that name, so that a stream that was deleted and made again
 *     begins with an empty ledger; with the generation behind it, if there is one
 */
public record LedgerScope(String stream, String consumer, String incarnation) {
  private static final char BEFORE_GENERATION = '-';

  /**
   * The ledger of that generation: another one, which begins empty. That of generation 0 has no
   * generation in its name.
   */
  public LedgerScope ofGeneration(int generation) {
    return new LedgerScope(
        stream,
        consumer,
        generation == 0
            ? streamIncarnation()
            : streamIncarnation() + BEFORE_GENERATION + generation);
  }

  /** Which stream of that name. */
  public String streamIncarnation() {
    int end = incarnation.indexOf(BEFORE_GENERATION);
    return end < 0 ? incarnation : incarnation.substring(0, end);
  }

  /** Which ledger of those that were begun anew on purpose; 0 for the first. */
  public int generation() {
    int begin = incarnation.indexOf(BEFORE_GENERATION) + 1;
    return begin == 0 ? 0 : Integer.parseInt(incarnation, begin, incarnation.length(), 10);
  }

  @Override
  public String toString() {
    return stream + "." + consumer + "." + incarnation;
  }
}
