package dev.contrail.cli.drill.scenario;

/** What a scenario does until all that is left is to wait and to count. */
interface Script {
  void play(Stage stage) throws InterruptedException;

  /** What else must hold once all is accounted for. */
  default void check(Stage stage) throws InterruptedException {}
}
