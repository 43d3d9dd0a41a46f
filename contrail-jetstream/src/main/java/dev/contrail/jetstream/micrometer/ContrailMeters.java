package dev.contrail.jetstream.micrometer;

import dev.contrail.jetstream.ConsumerFigures;
import dev.contrail.jetstream.ConsumerMeters;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Measures consumers in a registry of Micrometer, each under its stream and its name, from its
 * start until it is closed:
 *
 * <pre>{@code
 * Contrail.consumer(nats, "ORDERS", "billing").meters(ContrailMeters.in(registry))
 * }</pre>
 *
 * <p>Consumers of one registry that have stream and name in common are added up. What is measured,
 * and its names, is in the documents. Thread-safe.
 */
public final class ContrailMeters implements ConsumerMeters {
  private static final Map<MeterRegistry, WeakReference<ContrailMeters>> ALL = new WeakHashMap<>();

  private final MeterRegistry registry;
  private final Map<String, ConsumerGroup> groups = new HashMap<>();

  private ContrailMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Those of that registry; always the same. */
  public static ContrailMeters in(MeterRegistry registry) {
    synchronized (ALL) {
      WeakReference<ContrailMeters> known = ALL.get(registry);
      ContrailMeters meters = known == null ? null : known.get();
      if (meters == null) {
        meters = new ContrailMeters(registry);
        ALL.put(registry, new WeakReference<>(meters));
      }
      return meters;
    }
  }

  @Override
  public synchronized Meter open(ConsumerFigures figures) {
    String key = figures.stream() + "/" + figures.consumer();
    ConsumerGroup group =
        groups.computeIfAbsent(
            key, any -> new ConsumerGroup(registry, figures.stream(), figures.consumer()));
    group.add(figures);
    return new Member(key, group, figures);
  }

  private synchronized void close(Member member) {
    if (member.group.remove(member.figures)) {
      groups.remove(member.key, member.group);
    }
  }

  /** One consumer among those that are measured together. */
  private final class Member implements Meter {
    private final String key;
    private final ConsumerGroup group;
    private final ConsumerFigures figures;

    private Member(String key, ConsumerGroup group, ConsumerFigures figures) {
      this.key = key;
      this.group = group;
      this.figures = figures;
    }

    @Override
    public void handled(boolean done, long nanos) {
      group.handled(done, nanos);
    }

    @Override
    public void redelivered(String subject) {
      group.redelivered(subject);
    }

    @Override
    public void committed(int completions, long nanos) {
      group.committed(completions, nanos);
    }

    @Override
    public void looked() {
      group.show();
    }

    @Override
    public void close() {
      ContrailMeters.this.close(this);
    }
  }
}
