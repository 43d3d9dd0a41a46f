package dev.contrail.operations.guard;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.lease.LeaderLease;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * Dead-letters what consumers of others gave up on: messages that used up their MaxDeliver, and
 * such as were terminated. The server says so in advisories, which are captured in a stream, so
 * that a guard that was down misses none; sweeps find what no advisory told of. Where it is
 * allowed, what has a dead letter is then taken from its stream.
 *
 * <p>Several may run: one leads, the others wait. Thread-safe.
 */
public final class Guard implements AutoCloseable {
  /** The lease of the one that leads, among those that look at every stream. */
  public static final String TASK = "guard";

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration MEND_EVERY = Duration.ofSeconds(5);

  private final Post post;
  private final LeaderLease lease;
  private final Post.Work work;
  private final long sweepEveryNanos;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private String leaderTold = "";
  private boolean led;
  private boolean doubtful;
  private long nextSweepNanos = System.nanoTime();
  private long nextMendNanos = System.nanoTime();

  private Guard(Post post, LeaderLease lease, GuardOptions options) {
    this.post = post;
    this.lease = lease;
    this.work = post.work(true, lease::isHeld, () -> closing.getCount() > 0);
    this.sweepEveryNanos = options.sweepEvery().toNanos();
    this.thread = Threads.daemon(this::run, "contrail-guard");
  }

  /**
   * Starts one, which goes on until it is closed. What happens from then on is told to the
   * listener, trouble with the server too.
   *
   * @throws ContrailException when what it needs on the server is missing or unfit
   */
  public static Guard start(
      Connection connection,
      JetStreamOptions jetStream,
      Names names,
      GuardOptions options,
      GuardListener listener) {
    return start(connection, jetStream, names, options, listener, UnaryOperator.identity());
  }

  /** The same with something more at each act. */
  static Guard start(
      Connection connection,
      JetStreamOptions jetStream,
      Names names,
      GuardOptions options,
      GuardListener listener,
      UnaryOperator<GuardPort> around) {
    Post post = new Post(connection, jetStream, names, options, listener, around);
    try {
      post.provision();
      post.tellScope();
      LeaderLease lease =
          LeaderLease.of(connection, jetStream, names, TASK + options.part(), options.by());
      Guard guard = new Guard(post, lease, options);
      guard.thread.start();
      return guard;
    } catch (RuntimeException e) {
      post.close();
      throw e;
    }
  }

  /**
   * Works off the advisories that there are, sweeps once and ends. Blocks.
   *
   * @param stop whether to end after what is under way
   * @throws ContrailException when another guard leads, or what it needs is missing or unfit
   */
  public static GuardStatus once(
      Connection connection,
      JetStreamOptions jetStream,
      Names names,
      GuardOptions options,
      GuardListener listener,
      BooleanSupplier stop)
      throws InterruptedException {
    try (Post post =
        new Post(connection, jetStream, names, options, listener, UnaryOperator.identity())) {
      post.provision();
      post.tellScope();
      try (LeaderLease lease =
          LeaderLease.of(connection, jetStream, names, TASK + options.part(), options.by())) {
        if (!lease.tryTake()) {
          throw new ContrailException(
              "Another guard leads: " + lease.other().orElse("somebody else") + ".");
        }
        Post.Work work = post.work(true, lease::isHeld, () -> !stop.getAsBoolean());
        return new Round(post, work, lease::isHeld, stop).run();
      }
    }
  }

  /**
   * Says what it would do by the advisories that there are and one sweep, and writes nothing.
   * Blocks.
   *
   * @param stop whether to end after what is under way
   * @throws ContrailException when the server refuses or does not answer
   */
  public static GuardStatus rehearse(
      Connection connection,
      JetStreamOptions jetStream,
      Names names,
      GuardOptions options,
      GuardListener listener,
      BooleanSupplier stop)
      throws InterruptedException {
    try (Post post =
        new Post(connection, jetStream, names, options, listener, UnaryOperator.identity())) {
      post.tellScope();
      return new Rehearsal(connection, jetStream, names, post, options).run(stop);
    }
  }

  private void run() {
    lease.contend();
    try {
      while (closing.getCount() > 0) {
        turn();
      }
      work.reader().awaitIdle(AdvisoryReader.LONGEST_ACT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (closing.getCount() > 0) {
        // Nobody works here any more: another may.
        lease.close();
      }
    }
  }

  private void turn() throws InterruptedException {
    if (!lease.isHeld()) {
      leave();
      mendLease();
      var unused = closing.await(PAUSE.toMillis() / 4, TimeUnit.MILLISECONDS);
      return;
    }
    if (!led) {
      led = true;
      leaderTold = "";
      post.tally.tell(new GuardEvent.Leading());
    }
    try {
      post.requireConnected();
      if (doubtful) {
        // Somebody may have deleted what it needs.
        post.provision();
        doubtful = false;
      }
      int came = work.reader().read(true);
      sweepWhenDue(came);
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      // An error too: a guard that leads and does nothing is worse.
      doubtful = true;
      post.tally.failed("Guarding", e);
      var unused = closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void leave() {
    if (led) {
      led = false;
      post.tally.forgetWaiting();
      post.tally.tell(new GuardEvent.LostLead());
    }
    Optional<String> leader = lease.other();
    if (leader.isPresent() && !leader.get().equals(leaderTold)) {
      leaderTold = leader.get();
      post.tally.tell(new GuardEvent.LedByOther(leaderTold));
    }
  }

  /** Somebody may have deleted the bucket: then no guard ever leads, unless one makes it again. */
  private void mendLease() {
    Optional<String> trouble = lease.trouble();
    if (trouble.isEmpty() || System.nanoTime() - nextMendNanos < 0) {
      return;
    }
    nextMendNanos = System.nanoTime() + MEND_EVERY.toNanos();
    post.tally.failed("Taking the lead", new ContrailException(trouble.get()));
    try {
      post.requireConnected();
      post.provision();
    } catch (RuntimeException e) {
      post.tally.failed("Taking the lead", e);
    }
  }

  /** Advisories first, since they tell more; but their flow does not put it off for ever. */
  private void sweepWhenDue(int came) throws InterruptedException {
    long late = System.nanoTime() - nextSweepNanos;
    if (late < 0 || (came > 0 && late < sweepEveryNanos)) {
      return;
    }
    work.reader().awaitIdle(AdvisoryReader.LONGEST_ACT);
    nextSweepNanos = System.nanoTime() + sweepEveryNanos;
    work.sweep().run();
  }

  public GuardStatus status() {
    boolean leading = lease.isHeld();
    return post.tally.status(leading, leading ? Optional.empty() : lease.other());
  }

  /** Finishes what is under way, and gives the lead to another. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lease.close();
      post.close();
    }
  }
}
