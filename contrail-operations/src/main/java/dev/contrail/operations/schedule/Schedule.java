package dev.contrail.operations.schedule;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Does each of its tasks again and again, on a thread of its own, so that one that hangs holds up
 * no other. The first time is at once.
 */
public final class Schedule {
  private final List<RepeatedTask> tasks;
  private final ScheduledThreadPoolExecutor threads;

  public Schedule(List<RepeatedTask> tasks) {
    this.tasks = List.copyOf(tasks);
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ScheduledThreadPoolExecutor(
            Math.max(1, tasks.size()),
            body -> {
              Thread thread = new Thread(body, "contrail-task-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Begins. */
  public void start() {
    tasks.forEach(task -> after(Duration.ZERO, task));
  }

  /** How the tasks stand. */
  public List<TaskStatus> status() {
    return tasks.stream().map(RepeatedTask::status).toList();
  }

  private void after(Duration rest, RepeatedTask task) {
    try {
      var unused = threads.schedule(() -> run(task), rest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // It was ended meanwhile.
    }
  }

  private void run(RepeatedTask task) {
    try {
      after(task.runOnce(), task);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Begins no task any more and interrupts those that run.
   *
   * @return whether all have ended, in that time
   */
  public boolean end(Duration atMost) throws InterruptedException {
    threads.shutdownNow();
    return threads.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }
}
