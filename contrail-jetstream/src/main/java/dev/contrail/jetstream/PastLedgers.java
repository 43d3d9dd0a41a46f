package dev.contrail.jetstream;

import dev.contrail.ledger.LedgerScope;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The ledgers of a consumer that were kept for streams of the same name which are gone. */
final class PastLedgers {
  private final JetStreamApi api;
  private final String ledgerStream;
  private final String subjects;
  private final LedgerScope present;

  PastLedgers(JetStreamApi api, Names names, LedgerScope present) {
    this.api = api;
    this.ledgerStream = names.ledgerStream();
    this.subjects = names.ledgerSubjects(present.stream(), present.consumer());
    this.present = present;
  }

  /** Deletes those that nothing was recorded in since then. */
  CompletableFuture<Void> delete(Instant before) {
    return api.subjects(ledgerStream, subjects)
        .thenCompose(
            all ->
                CompletableFuture.allOf(
                    incarnations(all).stream()
                        .map(incarnation -> delete(incarnation, before))
                        .toArray(CompletableFuture[]::new)));
  }

  /** Generations of the present stream are not past: a consumer may go back to one. */
  private Set<String> incarnations(Set<String> all) {
    int begin = subjects.length() - 1;
    return all.stream()
        .map(subject -> subject.substring(begin, subject.indexOf('.', begin)))
        .filter(incarnation -> !isPresent(incarnation))
        .collect(Collectors.toSet());
  }

  private boolean isPresent(String incarnation) {
    return new LedgerScope(present.stream(), present.consumer(), incarnation)
        .streamIncarnation()
        .equals(present.streamIncarnation());
  }

  private CompletableFuture<Void> delete(String incarnation, Instant before) {
    String records = subjects.substring(0, subjects.length() - 1) + incarnation + ".>";
    return api.last(ledgerStream, records)
        .thenCompose(
            last ->
                last.filter(newest -> newest.time().isBefore(before))
                    .map(newest -> api.purge(ledgerStream, records, newest.sequence() + 1))
                    .orElseGet(() -> CompletableFuture.completedFuture(null)));
  }
}
