package dev.contrail.simulation.net;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * A process that may be killed or stopped. What it does, it does in tasks that take no time. Killed
 * in the middle of one, nothing that it still says or plans has any effect.
 */
public class SimulatedProcess {
  private final String name;
  private final VirtualTime time;
  private final SplittableRandom random;
  private final Deque<Runnable> frozenTasks = new ArrayDeque<>();
  private boolean alive = true;
  private boolean frozen;
  private long wallOffset;
  private long furthestOffset;
  private int commandsLeft = Integer.MAX_VALUE;
  private Runnable death = () -> {};

  public SimulatedProcess(String name, VirtualTime time, SplittableRandom random) {
    this.name = name;
    this.time = time;
    this.random = random;
  }

  public final String name() {
    return name;
  }

  public final VirtualTime time() {
    return time;
  }

  /** What happens in it by chance. */
  public final SplittableRandom random() {
    return random;
  }

  public final boolean isAlive() {
    return alive;
  }

  public final boolean isFrozen() {
    return frozen;
  }

  /** Its wall clock, in nanoseconds since the epoch. */
  public final long wallNanos() {
    return time.now() + wallOffset;
  }

  /** Moves its wall clock. */
  public final void setClock(long nanos) {
    wallOffset += nanos;
    furthestOffset = Math.max(furthestOffset, wallOffset);
  }

  /** Its wall clock, had it never been set back. */
  public final long furthestWallNanos() {
    return time.now() + furthestOffset;
  }

  /** Does it after a while, unless it is dead by then. */
  public final void in(long nanos, Runnable task) {
    time.in(nanos, () -> perform(task));
  }

  final void at(long nanos, Runnable task) {
    time.at(nanos, () -> perform(task));
  }

  private void perform(Runnable task) {
    if (!alive) {
      return;
    }
    if (frozen) {
      frozenTasks.add(task);
    } else {
      task.run();
    }
  }

  /** Stops it in its tracks, as SIGSTOP does. */
  public final void freeze() {
    frozen = true;
  }

  /** Lets it go on. What it missed it does now, in order. */
  public final void thaw() {
    frozen = false;
    while (alive && !frozen && !frozenTasks.isEmpty()) {
      frozenTasks.remove().run();
    }
  }

  public final void kill() {
    if (alive) {
      alive = false;
      frozenTasks.clear();
      death.run();
    }
  }

  /** Called when it is killed. */
  public final void onDeath(Runnable task) {
    death = task;
  }

  /** Kills it after so many more commands, one way or the other: before the last or after it. */
  public final void dieAfter(int commands) {
    commandsLeft = commands;
  }

  /** Carries out something that others notice, unless it dies first. */
  final void command(Runnable effect) {
    if (!alive) {
      return;
    }
    commandsLeft--;
    if (commandsLeft > 0) {
      effect.run();
      return;
    }
    if (random.nextBoolean()) {
      effect.run();
    }
    kill();
  }

  @Override
  public final String toString() {
    return name;
  }
}
