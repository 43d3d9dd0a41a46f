package dev.contrail.cli.drill.account;

import dev.contrail.cli.drill.place.Published;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts messages that something happened to, and keeps the first as the example. */
final class Tally {
  private final Promise promise;
  private int count;
  private @Nullable String example;

  Tally(Promise promise) {
    this.promise = promise;
  }

  void add(Published work, String what) {
    add(work.number(), work.sequence(), what);
  }

  void add(long number, long sequence, String what) {
    count++;
    if (example == null) {
      example = "number " + number + " (sequence " + sequence + ") " + what;
    }
  }

  int count() {
    return count;
  }

  /** What it comes to; empty when it happened to none. */
  Optional<Breach> breach(String what) {
    return Optional.ofNullable(example)
        .map(
            it ->
                new Breach(promise, count + (count == 1 ? " message " : " messages ") + what, it));
  }
}
