package dev.contrail.cli.drill.report;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What happened when, in a drill. */
public final class Timeline {
  private final Clock clock;
  private final Consumer<String> listener;
  private final long began;
  private final List<Moment> moments = new ArrayList<>();
  private final List<Long> recoveries = new ArrayList<>();

  public Timeline(Clock clock, Consumer<String> listener) {
    this.clock = clock;
    this.listener = listener;
    this.began = micros();
  }

  public void add(Moment.Kind kind, String what) {
    long now = micros();
    moments.add(new Moment((now - began) / 1_000, kind, what));
    listener.accept(what);
  }

  /** From now on it can recover. */
  public void recovering() {
    recoveries.add(micros());
  }

  public long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }

  /** In microseconds since the epoch. */
  public long began() {
    return began;
  }

  /** From when on it could recover from what was done, in microseconds. */
  public List<Long> recoveries() {
    return List.copyOf(recoveries);
  }

  public int count(Moment.Kind kind) {
    return (int) moments.stream().filter(it -> it.kind() == kind).count();
  }

  public List<Moment> moments() {
    return List.copyOf(moments);
  }
}
