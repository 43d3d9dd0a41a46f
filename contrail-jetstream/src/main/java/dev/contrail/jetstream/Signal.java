package dev.contrail.jetstream;

import dev.contrail.engine.Now;
import dev.contrail.engine.Worker;

/** Something that happened on another thread, to be told to the worker on its own. */
@FunctionalInterface
interface Signal {
  void apply(Worker<Delivered> worker, Now now);
}
