package dev.contrail.cli.guard;

import dev.contrail.operations.guard.GuardListener;
import dev.contrail.operations.guard.GuardStatus;

/** Says what a guard does. */
interface GuardVoice extends GuardListener, AutoCloseable {
  /** The last that is said. */
  void ended(GuardStatus status);

  @Override
  void close();
}
