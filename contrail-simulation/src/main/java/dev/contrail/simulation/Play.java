package dev.contrail.simulation;

import dev.contrail.simulation.net.VirtualTime;
import java.time.Duration;
import java.util.List;

/** What a schedule plays with: a server, processes, faults for a while, and a referee. */
interface Play {
  VirtualTime time();

  Trace trace();

  Referee referee();

  /** How long faults last. */
  Duration chaos();

  /** What it is about, for people to read. */
  String description();

  void begin();

  /** What is left to be settled; empty when all is. */
  List<String> unsettled();

  /** Whether nobody has anything to do. */
  boolean isAtRest();

  /** Called every now and then while it is not at rest, when faults are over. */
  default void waitOn() {}

  /** It takes too long. */
  void reportUnrest(List<String> left);

  /** All is settled. */
  void checkAll();
}
