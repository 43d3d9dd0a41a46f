package dev.contrail.simulation.model;

import java.util.Optional;

/**
 * What is to be purged: all, or what the filter takes; of that, what lies before a sequence, or all
 * but the last few.
 *
 * @param before 0 for no such bound
 * @param keep 0 for none
 */
public record Purge(Optional<String> filter, long before, long keep) {
  public static Purge all() {
    return new Purge(Optional.empty(), 0, 0);
  }

  public static Purge subject(String filter) {
    return new Purge(Optional.of(filter), 0, 0);
  }

  public Purge before(long sequence) {
    return new Purge(filter, sequence, 0);
  }

  public Purge keep(long last) {
    return new Purge(filter, 0, last);
  }
}
