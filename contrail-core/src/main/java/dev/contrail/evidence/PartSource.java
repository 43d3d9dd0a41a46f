package dev.contrail.evidence;

import java.util.Optional;

/** Where the parts of a dead letter are fetched from. */
@FunctionalInterface
public interface PartSource {
  /**
   * The data stored under {@link DeadLetterId#partSubject}, empty where there is none. Whether it
   * has the hash is for the reader to check.
   */
  Optional<byte[]> fetch(int number, String sha256);
}
