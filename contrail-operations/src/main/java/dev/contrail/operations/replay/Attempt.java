package dev.contrail.operations.replay;

import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayCopy;
import dev.contrail.plan.Outlook;

/**
 * One replay of an entry of a plan.
 *
 * @param index of the entry
 * @param copy that is published, or was to be
 * @param outlook how its outcome comes to be known
 */
record Attempt(int index, ReplayCopy copy, Outlook outlook) {
  EventAddress turn(int number) {
    return EventAddress.run(copy.entry(), copy.step(), number);
  }

  EventAddress outcome() {
    return EventAddress.outcome(copy.entry(), copy.step());
  }
}
