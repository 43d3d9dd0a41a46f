package dev.contrail.console.metrics;

import java.util.List;

/**
 * One value.
 *
 * @param labels the values of the family's labels, in their order
 */
record Sample(List<String> labels, double value) {
  static Sample of(double value, String... labels) {
    return new Sample(List.of(labels), value);
  }
}
