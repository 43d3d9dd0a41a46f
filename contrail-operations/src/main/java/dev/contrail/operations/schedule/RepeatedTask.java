package dev.contrail.operations.schedule;

import java.time.Duration;
import java.time.InstantSource;

/** One task: what is done, how often, and how it stands. Thread-safe; never done twice at once. */
public final class RepeatedTask {
  /** What is done. */
  @FunctionalInterface
  public interface Work {
    /**
     * Does it once.
     *
     * @throws Exception whose message says why it could not be done
     */
    void run() throws Exception;
  }

  /** Hears when a task begins to fail and when it goes well again, not of every failure. */
  public interface Listener {
    void failing(TaskStatus task);

    void recovered(TaskStatus task);
  }

  private final Work work;
  private final InstantSource clock;
  private final Listener listener;
  private volatile TaskStatus status;

  /**
   * A task.
   *
   * @param every how long it rests after it went well
   */
  public RepeatedTask(
      String name, Duration every, Work work, InstantSource clock, Listener listener) {
    this.work = work;
    this.clock = clock;
    this.listener = listener;
    this.status = TaskStatus.of(name, every);
  }

  /** How it stands. */
  public TaskStatus status() {
    return status;
  }

  /**
   * Does it once, whatever comes of it.
   *
   * @return how long to rest until the next time
   * @throws InterruptedException when it was told to end in the middle, which is no failure
   */
  public synchronized Duration runOnce() throws InterruptedException {
    TaskStatus before = status;
    try {
      work.run();
      status = before.succeeded(clock.instant());
      if (before.isFailing()) {
        listener.recovered(status);
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      // An error too: a task that is not done again would end in silence.
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      status = before.failed(why(e));
      if (!before.failure().equals(status.failure())) {
        listener.failing(status);
      }
    }
    return status.rest();
  }

  private static String why(Throwable e) {
    String message = e.getMessage();
    return message == null || message.isBlank() ? e.toString() : message;
  }
}
