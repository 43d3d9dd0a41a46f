package dev.contrail.operations.doctor;

import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.WorkerRules;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.doctor.Survey.SurveyedConsumer;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What Contrail itself stores, by the rules that a worker has at its start. */
final class OwnStores {
  private static final Set<Store> EVIDENCE =
      EnumSet.of(Store.DEAD_LETTERS, Store.EVENTS, Store.LEDGER, Store.RETRIES);

  private OwnStores() {}

  static final Check CHECK =
      (survey, found) -> {
        List<SurveyedStream> worked =
            survey.streams().stream()
                .filter(stream -> stream.consumers().stream().anyMatch(SurveyedConsumer::worked))
                .toList();
        needed(survey, !worked.isEmpty()).stream()
            .filter(store -> !survey.stores().containsKey(store))
            .forEach(store -> found.accept(missing(survey, store)));
        int replicas =
            worked.stream()
                .mapToInt(stream -> stream.configuration().getReplicas())
                .max()
                .orElse(1);
        survey
            .stores()
            .forEach(
                (store, configuration) ->
                    WorkerRules.ofStore(
                            store,
                            survey.plan(),
                            configuration,
                            EVIDENCE.contains(store) ? replicas : 1,
                            survey.server().maxPayload())
                        .forEach(found));
      };

  // Where Contrail was never used nothing of it is missing.
  private static List<Store> needed(Survey survey, boolean worked) {
    if (worked) {
      return List.of(Store.DEAD_LETTERS, Store.RETRIES);
    }
    return survey.stores().isEmpty() ? List.of() : List.of(Store.DEAD_LETTERS);
  }

  private static Finding missing(Survey survey, Store store) {
    String name = store.stream(survey.plan().names());
    return Finding.of(
        Rule.STORE_MISSING,
        name,
        "it is missing; it is to hold " + store.purpose(),
        List.of("contrail init"));
  }
}
