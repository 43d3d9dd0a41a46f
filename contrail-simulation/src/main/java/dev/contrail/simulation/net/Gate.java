package dev.contrail.simulation.net;

import java.io.IOException;

/** What a call that waits for its answer has to get past. */
@FunctionalInterface
interface Gate {
  /** Returns when the server is about to answer. */
  void pass() throws IOException;
}
