package dev.contrail.operations.guard;

import dev.contrail.jetstream.ContrailException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A guard's work done once: the advisories that there are, then a sweep. */
final class Round {
  /** A guard that was killed had some, which the server gives to others only after a while. */
  private static final Duration PATIENCE = AdvisoryReader.ACK_WAIT.plusSeconds(5);

  private final Post post;
  private final Post.Work work;
  private final BooleanSupplier leads;
  private final BooleanSupplier stop;

  Round(Post post, Post.Work work, BooleanSupplier leads, BooleanSupplier stop) {
    this.post = post;
    this.work = work;
    this.leads = leads;
    this.stop = stop;
  }

  GuardStatus run() throws InterruptedException {
    try {
      workOff();
      if (!stop.getAsBoolean()) {
        work.sweep().run();
        requireLead();
      }
    } catch (ContrailException e) {
      work.reader().awaitIdle(AdvisoryReader.LONGEST_ACT);
      throw e;
    }
    return post.tally.status(true, Optional.empty());
  }

  private void workOff() throws InterruptedException {
    long progress = System.nanoTime();
    long settled = 0;
    boolean await = false;
    while (!stop.getAsBoolean()) {
      requireLead();
      boolean any = work.reader().read(await) > 0;
      if (work.reader().settled() > settled) {
        settled = work.reader().settled();
        progress = System.nanoTime();
      }
      boolean late = System.nanoTime() - progress > PATIENCE.toNanos();
      if (any && !late) {
        await = false;
        continue;
      }
      boolean idle = work.reader().awaitIdle(AdvisoryReader.LONGEST_ACT);
      if ((idle && work.reader().backlog() <= 0) || late) {
        return;
      }
      await = true;
    }
    work.reader().awaitIdle(AdvisoryReader.LONGEST_ACT);
  }

  /** What it reads now belongs to another. */
  private void requireLead() {
    if (!leads.getAsBoolean()) {
      throw new ContrailException(
          "This guard leads no more: its lease ran out, or another took it.");
    }
  }
}
