package dev.contrail.bench;

import dev.contrail.bench.report.Contender;
import dev.contrail.bench.report.Throughput;
import dev.contrail.bench.report.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** All contenders on one workload, in turns. */
final class ThroughputRounds {
  private static final double MUCH_TOO_LONG = 4;

  private final BenchPlan plan;
  private final BenchStreams streams;
  private final Map<Contender, Racer> racers;
  private final Stopwatch stopwatch;
  private final Steps steps;
  private final Random random = new Random(1);

  ThroughputRounds(
      BenchPlan plan, BenchStreams streams, Map<Contender, Racer> racers, Steps steps) {
    this.plan = plan;
    this.streams = streams;
    this.racers = racers;
    this.stopwatch = new Stopwatch(streams);
    this.steps = steps;
  }

  Throughput run(Workload workload) throws InterruptedException {
    Map<Contender, Integer> sizes = new EnumMap<>(Contender.class);
    racers.keySet().forEach(one -> sizes.put(one, Math.min(RoundSize.FIRST, plan.mostMessages())));
    for (int round = 1; round <= plan.warmUps(workload); round++) {
      Map<Contender, Double> rates = round(workload, sizes, "warm-up " + round);
      sizes.putAll(sizes(workload, rates));
    }
    for (int messages : sizes.values()) {
      streams.filled(workload.payloadBytes(), messages);
    }
    Map<Contender, List<Double>> all = new EnumMap<>(Contender.class);
    for (int round = 1; round <= plan.rounds(); round++) {
      String title = "round " + round + " of " + plan.rounds();
      round(workload, sizes, title)
          .forEach((one, rate) -> all.computeIfAbsent(one, c -> new ArrayList<>()).add(rate));
    }
    List<Throughput.Entry> entries = new ArrayList<>();
    List<Double> bare = all.getOrDefault(Contender.BARE, List.of());
    all.forEach(
        (one, rates) ->
            entries.add(
                Throughput.Entry.of(one, workload, sizes.getOrDefault(one, 0), rates, bare)));
    return new Throughput(workload, entries);
  }

  /** In another order each time, so that none always comes after the same other. */
  private Map<Contender, Double> round(
      Workload workload, Map<Contender, Integer> sizes, String title) throws InterruptedException {
    List<Contender> order = new ArrayList<>(racers.keySet());
    Collections.shuffle(order, random);
    Map<Contender, Double> rates = new EnumMap<>(Contender.class);
    StringBuilder line = new StringBuilder();
    for (Contender one : order) {
      steps.begin(workload.title() + ", " + title + ": " + one.shown());
      int messages = sizes.getOrDefault(one, RoundSize.FIRST);
      String stream = streams.filled(workload.payloadBytes(), messages);
      rates.put(one, stopwatch.perSecond(racer(one), stream, messages, workload.handlerMillis()));
    }
    rates.forEach(
        (one, rate) -> line.append(String.format(Locale.ROOT, "  (%s) %,.0f/s", one.id(), rate)));
    steps.found(workload.title() + ", " + title + ":" + line);
    return rates;
  }

  /** As many for each as for (a), but fewer for those that would take much too long. */
  private Map<Contender, Integer> sizes(Workload workload, Map<Contender, Double> rates) {
    int most = plan.mostMessages();
    int bare =
        RoundSize.of(rates.getOrDefault(Contender.BARE, 1.0), plan.roundLength(), workload, most);
    Map<Contender, Integer> sizes = new EnumMap<>(Contender.class);
    rates.forEach(
        (one, rate) -> {
          double seconds = bare / rate;
          boolean tooLong = seconds > MUCH_TOO_LONG * plan.roundLength().toMillis() / 1000.0;
          sizes.put(one, tooLong ? RoundSize.of(rate, plan.roundLength(), workload, most) : bare);
        });
    return sizes;
  }

  private Racer racer(Contender one) {
    Racer racer = racers.get(one);
    if (racer == null) {
      throw new IllegalStateException(one + " does not take part");
    }
    return racer;
  }
}
