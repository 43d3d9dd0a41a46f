package dev.contrail.simulation.model;

/** Lets time pass. */
record Advance(int beats) implements Step {
  @Override
  public String onModel(ModelSide model) {
    model.advance(beats);
    return "later";
  }

  @Override
  public void onServer(ServerSide server) {
    server.advance(beats);
  }
}
