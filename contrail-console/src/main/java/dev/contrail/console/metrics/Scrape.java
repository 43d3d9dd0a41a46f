package dev.contrail.console.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** A registry that is read by Prometheus, with the program's version and what the JVM measures. */
final class Scrape implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbage = new JvmGcMetrics();

  Scrape(String version) {
    Gauge.builder("contrail.version", () -> 1)
        .description("Always 1; the label is what matters")
        .tag("version", version)
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    garbage.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  MeterRegistry registry() {
    return registry;
  }

  /** All of it as it is now, in the text format of Prometheus. */
  String text() {
    return registry.scrape();
  }

  @Override
  public void close() {
    garbage.close();
    registry.close();
  }
}
