package dev.contrail.cli.publish;

import dev.contrail.jetstream.MaybePublishedException;
import dev.contrail.jetstream.Published;
import dev.contrail.operations.view.PlainText;
import java.util.ArrayList;
import java.util.List;

/** What became of many messages. Safe for several threads. */
final class PublishTally {
  private long stored;
  private long duplicates;
  private long possiblyTwice;
  private long rerouted;
  private long notPublished;
  private long unknown;

  synchronized void add(Published message) {
    if (message.duplicate()) {
      duplicates++;
    } else {
      stored++;
    }
    rerouted += message.reroutedFrom().isPresent() ? 1 : 0;
    possiblyTwice += message.possiblyTwice() ? 1 : 0;
  }

  synchronized void add(Throwable failure) {
    if (failure instanceof MaybePublishedException) {
      unknown++;
    } else {
      notPublished++;
    }
  }

  synchronized long done() {
    return stored + duplicates + failed();
  }

  synchronized long failed() {
    return notPublished + unknown;
  }

  /** Such as {@code 998 stored, 2 duplicates}. */
  synchronized String sentence() {
    List<String> parts = new ArrayList<>();
    parts.add(stored + " stored");
    part(parts, duplicates, "known already by their keys");
    part(parts, rerouted, "rerouted, since no consumer claims their subject");
    part(parts, possiblyTwice, "possibly stored twice, since the server was restarted meanwhile");
    part(parts, notPublished, "not published");
    part(parts, unknown, "stored or not, nobody can tell");
    return PlainText.of(String.join(", ", parts));
  }

  private static void part(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }
}
