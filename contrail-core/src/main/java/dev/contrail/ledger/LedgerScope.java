package dev.contrail.ledger;

/**
 * Whose completions a ledger keeps.
 *
 * @param incarnation which stream of that name, so that a stream that was deleted and made again
 *     begins with an empty ledger
 */
public record LedgerScope(String stream, String consumer, String incarnation) {
  @Override
  public String toString() {
    return stream + "." + consumer + "." + incarnation;
  }
}
