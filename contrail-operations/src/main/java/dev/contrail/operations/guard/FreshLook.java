package dev.contrail.operations.guard;

import java.time.Duration;

/** How old a look at a consumer may be when a message is let go of because of it. */
final class FreshLook {
  static final long NANOS = Duration.ofSeconds(1).toNanos();

  /** So often it is looked at again, where a look has become too old. */
  static final int TRIES = 5;

  private FreshLook() {}
}
