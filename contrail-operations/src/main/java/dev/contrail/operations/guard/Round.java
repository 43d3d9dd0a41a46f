package dev.contrail.operations.guard;

import dev.contrail.jetstream.ContrailException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A guard's work done once: the advisories that there are, then a sweep. */
final class Round {
  private static final Duration LONGEST_ACT = Duration.ofSeconds(30);

  /** A guard that was killed had some, which the server gives to others only after a while. */
  private static final Duration PATIENCE = AdvisoryReader.ACK_WAIT.plusSeconds(5);

  private final Post post;
  private final Post.Work work;
  private final BooleanSupplier stop;

  Round(Post post, Post.Work work, BooleanSupplier stop) {
    this.post = post;
    this.work = work;
    this.stop = stop;
  }

  GuardStatus run() throws InterruptedException {
    try {
      workOff();
      if (!stop.getAsBoolean()) {
        work.sweep().run();
      }
    } catch (ContrailException e) {
      work.reader().awaitIdle(LONGEST_ACT);
      throw e;
    }
    return post.tally.status(true, Optional.empty());
  }

  private void workOff() throws InterruptedException {
    long progress = System.nanoTime();
    boolean await = false;
    while (!stop.getAsBoolean()) {
      if (work.reader().read(await) > 0) {
        progress = System.nanoTime();
        await = false;
        continue;
      }
      boolean idle = work.reader().awaitIdle(LONGEST_ACT);
      boolean late = System.nanoTime() - progress > PATIENCE.toNanos();
      if ((idle && work.reader().backlog() <= 0) || late) {
        return;
      }
      await = true;
    }
    work.reader().awaitIdle(LONGEST_ACT);
  }
}
