package dev.contrail.console.desk;

import dev.contrail.operations.replay.RunListener;
import dev.contrail.operations.replay.RunResult;
import dev.contrail.operations.replay.StopSign;
import dev.contrail.plan.PlanHead;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replays that this process carries out, a thread each and a few at once. One that is killed
 * with it is resumed by whoever wants to. Thread-safe.
 */
public final class ReplayRuns {
  private static final Logger log = LoggerFactory.getLogger(ReplayRuns.class);
  private static final int MOST_AT_ONCE = 4;
  private static final int MOST_REMEMBERED = 100;

  /** Carries out a plan. */
  public interface Body {
    RunResult run(StopSign stop, RunListener listener) throws InterruptedException;
  }

  /** One of them, as it is now. */
  public static final class Running implements RunListener {
    private final StopSign stop = new StopSign();
    private final InstantSource clock;
    private final Instant began;
    private volatile int done;
    private volatile int of;
    private volatile String notice = "";
    private volatile String failure = "";
    private volatile @Nullable Instant ended;

    private Running(int of, InstantSource clock) {
      this.of = of;
      this.clock = clock;
      this.began = clock.instant();
    }

    @Override
    public void settled(int settled, int all) {
      done = Math.max(done, settled);
      of = all;
    }

    @Override
    public void notice(String sentence) {
      notice = sentence;
    }

    public boolean isUnderWay() {
      return ended == null;
    }

    public int done() {
      return done;
    }

    public int of() {
      return of;
    }

    /** What it waits for, or what is to be known; empty where there is nothing to say. */
    public String notice() {
      return notice;
    }

    /** Why it broke off; empty where it did not. */
    public String failure() {
      return failure;
    }

    /** How many were settled in a second, so far. */
    public double rate() {
      Instant end = ended == null ? clock.instant() : ended;
      double seconds = Math.max(0.001, Duration.between(began, end).toMillis() / 1_000.0);
      return done / seconds;
    }
  }

  private final InstantSource clock;
  private final BiConsumer<PlanHead, String> told;
  private final Map<String, Running> runs = new LinkedHashMap<>();
  private int reserved;
  private boolean closed;

  /**
   * None yet.
   *
   * @param told what became of one, in a few words
   */
  public ReplayRuns(InstantSource clock, BiConsumer<PlanHead, String> told) {
    this.clock = clock;
    this.told = told;
  }

  /** A place that is kept for a replay while it is drafted. Given back unless it is begun. */
  final class Room implements AutoCloseable {
    private boolean used;

    @Override
    public void close() {
      synchronized (ReplayRuns.this) {
        if (!used) {
          used = true;
          reserved--;
        }
      }
    }
  }

  /**
   * Keeps a place for one more: to draft takes a while, and others may begin meanwhile.
   *
   * @throws Refusal when there is none
   */
  synchronized Room reserve() {
    if (closed) {
      throw new Refusal(Refusal.Kind.UNAVAILABLE, "This process is about to end.");
    }
    if (reserved + underWay() >= MOST_AT_ONCE) {
      throw new Refusal(
          Refusal.Kind.TOO_MANY,
          "This process carries out "
              + MOST_AT_ONCE
              + " replays already; wait for one of them, or cancel it.");
    }
    reserved++;
    return new Room();
  }

  /** Begins, on a thread of its own. */
  synchronized void run(PlanHead head, Room room, Body body) {
    if (closed) {
      throw new Refusal(Refusal.Kind.UNAVAILABLE, "This process is about to end.");
    }
    Running before = runs.get(head.plan());
    if (before != null && before.isUnderWay()) {
      throw new Refusal(Refusal.Kind.CONFLICT, "That replay is being carried out.");
    }
    Running running = new Running(head.entries(), clock);
    forgetOldest();
    runs.remove(head.plan());
    runs.put(head.plan(), running);
    Thread thread =
        new Thread(() -> carryOut(head, running, body), "contrail-replay-" + head.plan());
    thread.setDaemon(true);
    room.close();
    told.accept(head, "began");
    thread.start();
  }

  private void forgetOldest() {
    Iterator<Running> all = runs.values().iterator();
    while (runs.size() >= MOST_REMEMBERED && all.hasNext()) {
      if (!all.next().isUnderWay()) {
        all.remove();
      }
    }
  }

  private void carryOut(PlanHead head, Running running, Body body) {
    String end = "broke off";
    try {
      RunResult result = body.run(running.stop, running);
      end = result.state().kind().text();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      running.failure = "It was interrupted.";
    } catch (RuntimeException e) {
      log.atWarn()
          .addKeyValue("event", "replay.failed")
          .addKeyValue("plan", head.plan())
          .log(String.valueOf(e.getMessage()));
      running.failure = String.valueOf(e.getMessage());
    } finally {
      running.ended = clock.instant();
      told.accept(head, end);
    }
  }

  /** What is known of one here. */
  public synchronized Optional<Running> find(String plan) {
    return Optional.ofNullable(runs.get(plan));
  }

  /** How many are under way. */
  public synchronized long underWay() {
    return runs.values().stream().filter(Running::isUnderWay).count();
  }

  synchronized void stop(String plan, String why) {
    Running running = runs.get(plan);
    if (running != null) {
      running.stop.cancel(why);
    }
  }

  /**
   * Ends all between two messages, and waits for that; they can be resumed.
   *
   * @param atMost for how long
   */
  public void close(Duration atMost) throws InterruptedException {
    synchronized (this) {
      closed = true;
      runs.values().forEach(running -> running.stop.cancel("the process was asked to end"));
    }
    long end = System.nanoTime() + atMost.toNanos();
    while (underWay() > 0 && System.nanoTime() < end) {
      Thread.sleep(20);
    }
  }
}
