package dev.contrail.simulation;

import dev.contrail.simulation.net.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened, as lines that also add up to a number. */
final class Trace {
  private static final double NANOS_PER_SECOND = 1e9;

  private record Line(long nanos, String who, String what) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%9.4f  %-8s %s", nanos / NANOS_PER_SECOND, who, what);
    }
  }

  private final VirtualTime time;
  private final long began;
  private final List<Line> lines = new ArrayList<>();
  private long hash = 17;

  Trace(VirtualTime time) {
    this.time = time;
    this.began = time.now();
  }

  void tell(String who, String what) {
    long nanos = time.now() - began;
    hash = ((31 * hash + nanos) * 31 + who.hashCode()) * 31 + what.hashCode();
    lines.add(new Line(nanos, who, what));
  }

  List<String> lines() {
    return lines.stream().map(Line::toString).toList();
  }

  long hash() {
    return hash;
  }
}
