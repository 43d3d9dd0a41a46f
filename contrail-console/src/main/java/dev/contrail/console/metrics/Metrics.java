package dev.contrail.console.metrics;

import dev.contrail.operations.guard.GuardStatus;
import dev.contrail.operations.index.ReplayTotals;
import dev.contrail.operations.schedule.TaskStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Writes what is measured, and what the JVM measures of itself, for Prometheus. Thread-safe. */
public final class Metrics implements AutoCloseable {
  private final Scrape scrape;
  private final MeterRegistry registry;
  private final Map<GaugeFamily, MultiGauge> gauges = new EnumMap<>(GaugeFamily.class);
  private final Supplier<Facts> facts;
  private volatile Facts latest;

  /**
   * Measures nothing by itself.
   *
   * @param version of the program
   * @param facts asked at every scrape, by one thread at a time
   */
  public Metrics(String version, Supplier<Facts> facts) {
    this.scrape = new Scrape(version);
    this.registry = scrape.registry();
    this.facts = facts;
    this.latest = facts.get();
    for (GaugeFamily family : GaugeFamily.values()) {
      gauges.put(
          family,
          MultiGauge.builder(family.meter())
              .description(family.help())
              .baseUnit(family.unit().orElse(null))
              .register(registry));
    }
    guard("contrail.guard.advisories", "Advisories that were read", GuardStatus::advisories);
    guard("contrail.guard.buried", "Dead letters that the guard wrote", GuardStatus::buried);
    guard("contrail.guard.released", "Messages that the guard released", GuardStatus::released);
    guard("contrail.guard.failures", "What failed and was tried again", GuardStatus::failures);
    replays("resolved", ReplayTotals::resolved);
    replays("returned", ReplayTotals::returned);
    replays("failed", ReplayTotals::failed);
    tasks();
  }

  private void replays(String outcome, ToLongFunction<ReplayTotals> number) {
    counter(
        "contrail.replay.outcomes",
        "Replayed messages by what became of them",
        Tags.of("outcome", outcome),
        it -> number.applyAsLong(it.replays()));
  }

  private void tasks() {
    for (TaskStatus task : latest.tasks()) {
      task("contrail.task.runs", "How often it was done", task.name(), TaskStatus::runs);
      task("contrail.task.failures", "How often it failed", task.name(), TaskStatus::failures);
    }
  }

  private void guard(String meter, String help, ToLongFunction<GuardStatus> number) {
    counter(meter, help, Tags.empty(), it -> it.guard().map(number::applyAsLong).orElse(0L));
  }

  private void task(String meter, String help, String name, ToLongFunction<TaskStatus> number) {
    counter(
        meter,
        help,
        Tags.of("task", name),
        it -> it.tasks().stream().filter(task -> task.name().equals(name)).mapToLong(number).sum());
  }

  private void counter(String meter, String help, Tags tags, ToLongFunction<Facts> number) {
    FunctionCounter.builder(meter, this, it -> (double) number.applyAsLong(it.latest))
        .description(help)
        .tags(tags)
        .register(registry);
  }

  /** All of it as it is now, in the text format of Prometheus. */
  public synchronized String scrape() {
    latest = facts.get();
    Readings.of(latest)
        .forEach(
            (family, samples) -> {
              MultiGauge gauge = gauges.get(family);
              if (gauge != null) {
                gauge.register(samples.stream().map(sample -> row(family, sample)).toList(), true);
              }
            });
    return scrape.text();
  }

  private static MultiGauge.Row<Number> row(GaugeFamily family, Sample sample) {
    Tags tags = Tags.empty();
    for (int i = 0; i < sample.labels().size(); i++) {
      tags = tags.and(family.labels().get(i), sample.labels().get(i));
    }
    return MultiGauge.Row.of(tags, sample.value());
  }

  @Override
  public void close() {
    scrape.close();
  }
}
