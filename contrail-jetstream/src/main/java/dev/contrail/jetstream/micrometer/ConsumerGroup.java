package dev.contrail.jetstream.micrometer;

import dev.contrail.jetstream.ConsumerFigures;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * The meters of all consumers of a registry that have stream and name in common. Counts are read
 * when somebody looks; those of a consumer that ended stay in the sum while others go on, for a
 * count never falls.
 */
final class ConsumerGroup {
  private static final Duration[] RUN_TIMES = millis(1, 5, 25, 100, 500, 2_500, 10_000, 60_000);
  private static final Duration[] COMMIT_TIMES = millis(1, 5, 25, 100, 500, 2_500, 10_000);

  private final MeterRegistry registry;
  private final Tags labels;
  private final List<ConsumerFigures> consumers = new ArrayList<>();
  private final long[] ended = new long[Count.ALL.size()];
  private final List<Meter> meters = new ArrayList<>();
  private final Set<Level> shown = new HashSet<>();
  private final SubjectClasses subjects = new SubjectClasses();
  private final Map<String, Counter> redeliveries = new ConcurrentHashMap<>();
  private final Timer done;
  private final Timer failed;
  private final Timer commits;
  private final DistributionSummary commitSizes;

  ConsumerGroup(MeterRegistry registry, String stream, String consumer) {
    this.registry = registry;
    this.labels = Tags.of("stream", stream, "consumer", consumer);
    this.done = handler("done");
    this.failed = handler("failed");
    this.commits =
        added(
            Timer.builder("contrail.ledger.commit")
                .description("How long the ledger took to confirm completions")
                .tags(labels)
                .serviceLevelObjectives(COMMIT_TIMES)
                .register(registry));
    this.commitSizes =
        added(
            DistributionSummary.builder("contrail.ledger.commit.size")
                .baseUnit("messages")
                .description("How many completions the ledger was given at once")
                .tags(labels)
                .register(registry));
    for (int i = 0; i < Count.ALL.size(); i++) {
      int index = i;
      Count count = Count.ALL.get(i);
      added(
          FunctionCounter.builder(count.name(), this, group -> (double) group.count(index))
              .description(count.help())
              .tags(labels.and(count.labels()))
              .register(registry));
    }
  }

  private Timer handler(String outcome) {
    return added(
        Timer.builder("contrail.handler")
            .description("How long handlers ran")
            .tags(labels.and("outcome", outcome))
            .serviceLevelObjectives(RUN_TIMES)
            .register(registry));
  }

  private <T extends Meter> T added(T meter) {
    meters.add(meter);
    return meter;
  }

  private static Duration[] millis(long... times) {
    return LongStream.of(times).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
  }

  synchronized void add(ConsumerFigures consumer) {
    consumers.add(consumer);
    show();
  }

  /** What is known now and was not before is shown from now on. */
  synchronized void show() {
    for (Level level : Level.ALL) {
      if (!consumers.isEmpty() && level.of(consumers).isPresent() && shown.add(level)) {
        added(
            Gauge.builder(level.name(), this, group -> group.level(level))
                .description(level.help())
                .tags(labels.and(level.labels()))
                .register(registry));
      }
    }
  }

  /** Returns whether that was the last, and nothing is measured any more. */
  synchronized boolean remove(ConsumerFigures consumer) {
    if (!consumers.remove(consumer)) {
      return false;
    }
    for (int i = 0; i < ended.length; i++) {
      ended[i] += Count.ALL.get(i).number().applyAsLong(consumer);
    }
    if (!consumers.isEmpty()) {
      return false;
    }
    meters.forEach(registry::remove);
    meters.clear();
    return true;
  }

  private synchronized long count(int index) {
    long sum = ended[index];
    for (ConsumerFigures consumer : consumers) {
      sum += Count.ALL.get(index).number().applyAsLong(consumer);
    }
    return sum;
  }

  private synchronized double level(Level level) {
    return level.of(consumers).orElse(Double.NaN);
  }

  void handled(boolean wasDone, long nanos) {
    (wasDone ? done : failed).record(nanos, TimeUnit.NANOSECONDS);
  }

  void committed(int completions, long nanos) {
    commits.record(nanos, TimeUnit.NANOSECONDS);
    commitSizes.record(completions);
  }

  void redelivered(String subject) {
    String kind = subjects.of(subject);
    Counter counter = redeliveries.get(kind);
    if (counter == null) {
      counter = redeliveries.computeIfAbsent(kind, this::redeliveryCounter);
    }
    counter.increment();
  }

  private synchronized Counter redeliveryCounter(String kind) {
    Counter counter =
        Counter.builder("contrail.redeliveries")
            .description("Messages that were delivered before, by the kind of their subject")
            .tags(labels.and("subject", kind))
            .register(registry);
    if (consumers.isEmpty()) {
      // One that came after the end.
      registry.remove(counter);
      return counter;
    }
    return added(counter);
  }
}
