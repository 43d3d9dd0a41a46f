package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.worker.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where to kill, one time after the other: at each point, then at random and at points in turn. */
final class PointKills {
  private PointKills() {}

  /** Empty for at random. */
  static List<Optional<Point>> of(List<Point> points, int kills) {
    List<Optional<Point>> all = new ArrayList<>();
    for (int i = 0; i < kills; i++) {
      boolean random = i >= points.size() && i % 2 == points.size() % 2;
      all.add(random ? Optional.empty() : Optional.of(points.get(pointOf(i, points.size()))));
    }
    return all;
  }

  private static int pointOf(int kill, int points) {
    return kill < points ? kill : (points + (kill - points) / 2) % points;
  }
}
