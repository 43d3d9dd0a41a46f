package dev.contrail.cli.drill.place;

import dev.contrail.cli.drill.worker.Task;

/**
 * A message that the server confirmed to have stored. The arrays must not be changed.
 *
 * @param sequence in its stream
 * @param headerBlock the bytes of its headers as they were sent
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Published(Task task, long sequence, byte[] headerBlock, byte[] payload) {
  public long number() {
    return task.number();
  }

  /** Whether its handler kills it. */
  public boolean isToDie() {
    return task.kind() == Task.Kind.REJECT
        || task.kind() == Task.Kind.REJECT_ONCE
        || task.kind() == Task.Kind.FAIL;
  }
}
