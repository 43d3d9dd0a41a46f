package dev.contrail.console.metrics;

import dev.contrail.console.health.Check;
import dev.contrail.console.health.Readiness;
import dev.contrail.jetstream.ConsumerMeters;
import dev.contrail.jetstream.micrometer.ContrailMeters;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.function.Supplier;

/** Writes what is measured of workers, and what the JVM measures of itself, for Prometheus. */
public final class WorkerMetrics implements AutoCloseable {
  private final Scrape scrape;
  private final ContrailMeters meters;
  private final MultiGauge ready;
  private final Supplier<Readiness> readiness;

  /**
   * Measures nothing by itself.
   *
   * @param version of the program
   * @param readiness asked at every scrape, by one thread at a time
   */
  public WorkerMetrics(String version, Supplier<Readiness> readiness) {
    this.scrape = new Scrape(version);
    this.meters = ContrailMeters.in(scrape.registry());
    this.readiness = readiness;
    this.ready =
        MultiGauge.builder(GaugeFamily.READY.meter())
            .description(GaugeFamily.READY.help())
            .register(scrape.registry());
  }

  /** To be given to the consumers. */
  public ConsumerMeters meters() {
    return meters;
  }

  /** All of it as it is now, in the text format of Prometheus. */
  public synchronized String scrape() {
    ready.register(readiness.get().checks().stream().map(WorkerMetrics::row).toList(), true);
    return scrape.text();
  }

  private static MultiGauge.Row<Number> row(Check check) {
    return MultiGauge.Row.of(Tags.of("check", check.name()), check.ok() ? 1 : 0);
  }

  @Override
  public void close() {
    scrape.close();
  }
}
