package dev.contrail.cli.drill.report;

import java.util.List;

/**
 * The numbers that operators ask for first.
 *
 * @param ackWaitMillis of the drill's consumers
 * @param effectiveAckWaitMillis how late a delivery may come by configuration
 * @param ledgerMaxAgeMillis after which the ledger forgets; 0 for never, -1 where nobody knows
 * @param recordAgeMillis how old records were when the acks that relied on them came
 * @param duplicatesAfterCrash work that was done again since a worker died before the record
 * @param duplicatesAfterRecord work that was done again although it was on record
 * @param recoveryMillis how long it took after each fault until what was in flight was settled
 */
public record Head(
    long ackWaitMillis,
    long effectiveAckWaitMillis,
    long ledgerMaxAgeMillis,
    Spread recordAgeMillis,
    int messages,
    int kills,
    int faults,
    int duplicatesAfterCrash,
    int duplicatesAfterRecord,
    int evidenceLost,
    int messagesLost,
    Spread recoveryMillis) {
  static Head of(List<ScenarioResult> scenarios) {
    Timing timing =
        scenarios.stream()
            .map(ScenarioResult::timing)
            .filter(it -> it.ackWaitMillis() > 0)
            .findFirst()
            .orElse(Timing.UNKNOWN);
    return new Head(
        timing.ackWaitMillis(),
        timing.effectiveAckWaitMillis(),
        timing.ledgerMaxAgeMillis(),
        Spread.of(scenarios.stream().flatMap(it -> it.recordAgeMillis().stream()).toList()),
        scenarios.stream().mapToInt(ScenarioResult::messages).sum(),
        scenarios.stream().mapToInt(ScenarioResult::kills).sum(),
        scenarios.stream().mapToInt(ScenarioResult::faults).sum(),
        scenarios.stream().mapToInt(it -> it.duplicates().afterCrash()).sum(),
        scenarios.stream().mapToInt(it -> it.duplicates().afterRecord()).sum(),
        scenarios.stream().mapToInt(ScenarioResult::evidenceLost).sum(),
        scenarios.stream().mapToInt(ScenarioResult::lost).sum(),
        Spread.of(scenarios.stream().flatMap(it -> it.recoveryMillis().stream()).toList()));
  }
}
