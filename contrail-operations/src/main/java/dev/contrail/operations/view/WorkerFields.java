package dev.contrail.operations.view;

import dev.contrail.engine.WorkerCounts;
import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.operations.workers.Roll;
import dev.contrail.operations.workers.WorkerSeen;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Workers and pauses as scripts see them: fields in a stable order. */
public final class WorkerFields {
  private WorkerFields() {}

  public static Map<String, Object> of(Roll roll) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workers", roll.workers().stream().map(WorkerFields::of).toList());
    fields.put("pauses", roll.pauses().stream().map(WorkerFields::of).toList());
    fields.put("unreadable", roll.unreadable());
    return fields;
  }

  public static Map<String, Object> of(WorkerSeen seen) {
    WorkerReport report = seen.report();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("worker", report.who().name());
    fields.put("instance", report.who().instance());
    fields.put("stream", report.who().stream());
    fields.put("consumer", report.who().consumer());
    fields.put("contrail", report.who().contrail());
    fields.put("app", report.who().app().orElse(null));
    fields.put("startedAt", report.who().startedAt().toString());
    fields.put("at", report.at().toString());
    fields.put("paused", report.paused());
    fields.put("pause", seen.pause().map(WorkerFields::of).orElse(null));
    fields.put("breaker", report.breaker().map(WorkerFields::breaker).orElse(null));
    fields.put("holds", report.holds().stream().map(WorkerFields::hold).toList());
    fields.put("perSecond", rates(report.perSecond()));
    fields.put("counts", counts(report.counts()));
    fields.put("inFlight", report.load().inFlight());
    fields.put("held", report.load().held());
    fields.put(
        "oldestRunningSince", report.load().oldestRunning().map(Instant::toString).orElse(null));
    fields.put("retrying", report.retrying().stream().map(WorkerFields::retrying).toList());
    fields.put("retryingMore", report.retryingMore());
    return fields;
  }

  public static Map<String, Object> of(PauseOrder order) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("stream", order.scope().stream());
    fields.put("consumer", order.scope().consumer().orElse(null));
    fields.put("worker", order.scope().worker().orElse(null));
    fields.put("paused", order.paused());
    fields.put("by", order.by());
    fields.put("at", order.at().toString());
    fields.put("because", order.because());
    return fields;
  }

  public static Map<String, Object> rates(WorkerReport.Rates rates) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("processed", rates.processed());
    fields.put("retried", rates.retried());
    fields.put("deduplicated", rates.deduplicated());
    fields.put("dead", rates.dead());
    return fields;
  }

  private static Map<String, Object> breaker(WorkerReport.OpenBreaker breaker) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("since", breaker.since().toString());
    fields.put("fingerprint", breaker.fingerprint());
    fields.put("what", breaker.what());
    return fields;
  }

  private static Map<String, Object> hold(WorkerReport.Hold hold) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("what", hold.what());
    fields.put("since", hold.since().toString());
    return fields;
  }

  private static Map<String, Object> counts(WorkerCounts counts) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("delivered", counts.delivered());
    fields.put("processed", counts.done());
    fields.put("deduplicated", counts.deduplicated());
    fields.put("retried", counts.retried());
    fields.put("dead", counts.dead());
    fields.put("alreadyDead", counts.alreadyDead());
    fields.put("givenBack", counts.givenBack());
    fields.put("lost", counts.lost());
    return fields;
  }

  private static Map<String, Object> retrying(WorkerReport.Retrying retrying) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("fingerprint", retrying.fingerprint());
    fields.put("what", retrying.what());
    fields.put("messages", retrying.messages());
    fields.put("mostDeliveries", retrying.mostDeliveries());
    return fields;
  }
}
