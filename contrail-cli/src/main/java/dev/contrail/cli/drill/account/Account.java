package dev.contrail.cli.drill.account;

import java.util.List;
import java.util.stream.Stream;

/**
 * What became of all work.
 *
 * @param processed done, and recorded where a ledger is kept
 * @param dead with whole evidence
 * @param resolved dead, replayed, and done then
 * @param lost neither of these
 * @param evidenceLost that died without whole evidence
 * @param doubleLetters dead letters beyond the first of a death
 * @param runs how often a handler began
 */
public record Account(
    int messages,
    int processed,
    int dead,
    int resolved,
    int lost,
    int evidenceLost,
    int doubleLetters,
    int runs,
    Duplicates duplicates,
    List<Breach> breaches) {
  public Account {
    breaches = List.copyOf(breaches);
  }

  /** With what else was seen to be broken. */
  public Account with(List<Breach> more) {
    return new Account(
        messages,
        processed,
        dead,
        resolved,
        lost,
        evidenceLost,
        doubleLetters,
        runs,
        duplicates,
        Stream.concat(breaches.stream(), more.stream()).toList());
  }
}
