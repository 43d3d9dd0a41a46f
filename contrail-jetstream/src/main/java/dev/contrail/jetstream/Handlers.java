package dev.contrail.jetstream;

import java.util.List;

/** Where handlers run. */
interface Handlers {
  void submit(List<Run> runs);

  /** Tries once more what there was no memory for; to be called every now and then. */
  void startMissing();

  /** Gives the thread of a run up that does not heed its interruption. */
  void replace(Run run);

  /** Begins with nothing more. */
  void close();
}
