package dev.contrail.simulation.model;

/** Some in every build; {@link LongDifferentialTest} has many more. */
class DifferentialTest extends Differences {
  DifferentialTest() {
    super(1_000_000, 200, 200);
  }
}
