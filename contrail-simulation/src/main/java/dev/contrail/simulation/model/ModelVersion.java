package dev.contrail.simulation.model;

/** The servers that the model follows where they differ. */
public enum ModelVersion {
  V2_9_10,
  V2_15_1
}
