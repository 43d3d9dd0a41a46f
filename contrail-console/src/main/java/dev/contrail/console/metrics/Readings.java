package dev.contrail.console.metrics;

import dev.contrail.console.health.Check;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.operations.guard.GuardStatus;
import dev.contrail.operations.index.OpenTotal;
import dev.contrail.operations.index.StateTotal;
import dev.contrail.operations.schedule.TaskStatus;
import dev.contrail.operations.watch.OrphanTotal;
import dev.contrail.operations.watch.StoreFill;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What every gauge shows, from the facts of one moment. */
final class Readings {
  private static final double MILLIS = 1_000.0;

  private final Instant now;
  private final Map<GaugeFamily, Map<List<String>, Double>> values =
      new EnumMap<>(GaugeFamily.class);

  private Readings(Instant now) {
    this.now = now;
    for (GaugeFamily family : GaugeFamily.values()) {
      values.put(family, new LinkedHashMap<>());
    }
  }

  /** The samples of every family; none where nothing is known yet. */
  static Map<GaugeFamily, List<Sample>> of(Facts facts) {
    Readings readings = new Readings(facts.now());
    readings.deadLetters(facts.deadLetters());
    readings.states(facts.states());
    facts.stores().ifPresent(it -> it.forEach(readings::store));
    facts.orphans().ifPresent(readings::orphans);
    facts.findings().ifPresent(it -> it.forEach(readings::finding));
    facts.guard().ifPresent(readings::guard);
    facts.tasks().forEach(readings::task);
    for (Check check : facts.readiness().checks()) {
      readings.set(GaugeFamily.READY, bit(check.ok()), check.name());
    }
    return readings.samples();
  }

  private void deadLetters(List<OpenTotal> totals) {
    StreamLabels labels = StreamLabels.of(totals, OpenTotal::stream, OpenTotal::count);
    for (OpenTotal total : totals) {
      String stream = labels.label(total.stream());
      String reason = total.reason().text();
      add(GaugeFamily.DEAD_LETTERS_OPEN, (double) total.count(), stream, reason);
      oldest(GaugeFamily.DEAD_LETTERS_OLDEST, total.oldest(), stream, reason);
    }
  }

  private void states(List<StateTotal> totals) {
    StreamLabels labels = StreamLabels.of(totals, StateTotal::stream, StateTotal::count);
    for (StateTotal total : totals) {
      String stream = labels.label(total.stream());
      add(GaugeFamily.DEAD_LETTERS, (double) total.count(), stream, total.state().text());
    }
  }

  private void store(StoreFill fill) {
    set(GaugeFamily.STORE_MESSAGES, (double) fill.messages(), fill.name());
    set(GaugeFamily.STORE_BYTES, (double) fill.bytes(), fill.name());
    fill.mostMessages()
        .ifPresent(it -> set(GaugeFamily.STORE_MESSAGES_LIMIT, (double) it, fill.name()));
    fill.mostBytes().ifPresent(it -> set(GaugeFamily.STORE_BYTES_LIMIT, (double) it, fill.name()));
  }

  private void orphans(List<OrphanTotal> totals) {
    StreamLabels labels = StreamLabels.of(totals, OrphanTotal::stream, OrphanTotal::count);
    for (OrphanTotal total : totals) {
      String stream = labels.label(total.stream());
      String kind = total.kind().text();
      add(GaugeFamily.ORPHANS, (double) total.count(), stream, kind);
      total.oldest().ifPresent(it -> oldest(GaugeFamily.ORPHANS_OLDEST, it, stream, kind));
    }
  }

  private void finding(Finding finding) {
    String severity = finding.rule().severity().toString();
    add(GaugeFamily.FINDINGS, 1, severity, finding.rule().code());
  }

  private void guard(GuardStatus guard) {
    set(GaugeFamily.GUARD_LEASE, bit(guard.leading()));
    set(GaugeFamily.GUARD_FAILING, bit(guard.trouble().isPresent()));
    set(GaugeFamily.GUARD_WAITING, (double) guard.waiting());
    guard.lastSweep().ifPresent(at -> set(GaugeFamily.GUARD_SWEEP, age(at)));
  }

  private void task(TaskStatus task) {
    set(GaugeFamily.TASK_FAILING, bit(task.isFailing()), task.name());
    task.lastSuccess().ifPresent(at -> set(GaugeFamily.TASK_SUCCESS, age(at), task.name()));
  }

  private void set(GaugeFamily family, double value, String... labels) {
    of(family).put(List.of(labels), value);
  }

  private void add(GaugeFamily family, double value, String... labels) {
    of(family).merge(List.of(labels), value, Double::sum);
  }

  private void oldest(GaugeFamily family, Instant at, String... labels) {
    of(family).merge(List.of(labels), age(at), Math::max);
  }

  private Map<List<String>, Double> of(GaugeFamily family) {
    return values.computeIfAbsent(family, any -> new LinkedHashMap<>());
  }

  /** Clocks of two machines may differ a little. */
  private double age(Instant at) {
    return Math.max(0, Duration.between(at, now).toMillis() / MILLIS);
  }

  private static double bit(boolean value) {
    return value ? 1 : 0;
  }

  private Map<GaugeFamily, List<Sample>> samples() {
    Map<GaugeFamily, List<Sample>> samples = new EnumMap<>(GaugeFamily.class);
    values.forEach(
        (family, byLabels) ->
            samples.put(
                family,
                byLabels.entrySet().stream()
                    .map(it -> new Sample(it.getKey(), it.getValue()))
                    .toList()));
    return samples;
  }
}
