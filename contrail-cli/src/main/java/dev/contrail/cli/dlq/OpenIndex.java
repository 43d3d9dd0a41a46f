package dev.contrail.cli.dlq;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Progress;
import dev.contrail.operations.index.DeadLetterIndex;
import java.time.Duration;

/** Opens the index for one question, and shows how far it has come where that takes a while. */
public final class OpenIndex {
  private static final Duration AT_ONCE = Duration.ofMillis(400);
  private static final Duration A_MOMENT = Duration.ofMillis(100);
  private static final Duration TOO_LONG = Duration.ofMinutes(10);
  private static final int PARTS = 100;

  private OpenIndex() {}

  public static DeadLetterIndex of(Session session, Surroundings surroundings)
      throws InterruptedException {
    DeadLetterIndex index =
        DeadLetterIndex.open(session.connection(), session.jetStream(), session.names());
    boolean ready = false;
    try {
      ready = index.awaitReady(AT_ONCE) || awaited(index, surroundings);
    } finally {
      if (!ready) {
        index.close();
      }
    }
    return index;
  }

  private static boolean awaited(DeadLetterIndex index, Surroundings surroundings)
      throws InterruptedException {
    long end = System.nanoTime() + TOO_LONG.toNanos();
    try (Progress progress =
        new Progress(
            surroundings.err(),
            surroundings.terminal(),
            "Reading dead letters",
            PARTS,
            System::nanoTime)) {
      while (!index.awaitReady(A_MOMENT)) {
        progress.done((long) (index.readSoFar() * PARTS));
        if (System.nanoTime() > end) {
          throw CommandFailure.failed(
              "the server does not send all dead letters"
                  + index.problem().map(why -> ": " + why).orElse(""));
        }
      }
      progress.done(PARTS);
    }
    return true;
  }
}
