package dev.contrail.simulation.model;

/** One request of a script, and how it is put to the model and to a real server. */
interface Step {
  String onModel(ModelSide model);

  /** Ends with exactly one answer to the given side. */
  void onServer(ServerSide server);

  /** What the coverage counts it as. */
  default String kind() {
    return getClass().getSimpleName();
  }
}
