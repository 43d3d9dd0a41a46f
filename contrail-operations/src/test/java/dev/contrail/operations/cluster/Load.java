package dev.contrail.operations.cluster;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailPublisher;
import dev.contrail.operations.cluster.Accounts.Place;
import io.nats.client.Connection;
import java.util.Comparator;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Publishes numbered tasks, each until a stream confirms that it has it. */
final class Load implements AutoCloseable {
  private static final long TICK_MILLIS = 20;
  private static final int A_TICK = 6;

  private final Connection connection;
  private final ContrailPublisher publisher;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final AtomicInteger open = new AtomicInteger();
  private final Queue<Task> again = new ConcurrentLinkedQueue<>();
  private final Map<Task, Place> stored =
      new ConcurrentSkipListMap<>(Comparator.comparing(Task::number));
  private final Set<Task> possiblyTwice = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private long next;

  Load(String urls) {
    this.connection = Contrail.connect(urls);
    this.publisher = Contrail.publisher(connection).inFlight(256).start();
    this.thread = new Thread(this::run, "load");
    this.thread.start();
  }

  private void run() {
    try {
      while (!stopping.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
        for (int i = 0; i < A_TICK; i++) {
          publish(task(next++));
        }
        republish();
      }
      while (open.get() > 0 || !again.isEmpty()) {
        republish();
        TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Those that nobody would confirm, under the key that they had. */
  private void republish() {
    for (int left = again.size(); left > 0; left--) {
      Task task = again.poll();
      if (task != null) {
        publish(task);
      }
    }
  }

  private static Task task(long number) {
    boolean parcel = stream(number).equals(Site.PARCELS);
    if (parcel) {
      return new Task(number % 7 == 0 ? Task.Kind.DOOMED : Task.Kind.OK, number);
    }
    return new Task(
        switch ((int) (number % 97)) {
          case 1, 20 -> Task.Kind.RETRY;
          case 2 -> Task.Kind.SLOW;
          case 3, 40 -> Task.Kind.POISON;
          case 4 -> Task.Kind.CURSED;
          default -> Task.Kind.OK;
        },
        number);
  }

  static String stream(long number) {
    return switch ((int) (number % 5)) {
      case 0, 1 -> Site.ORDERS;
      case 2, 3 -> Site.JOBS;
      default -> Site.PARCELS;
    };
  }

  private void publish(Task task) {
    open.incrementAndGet();
    var unused =
        publisher
            .publishAsync(stream(task.number()) + ".new", "task-" + task.number(), task.payload())
            .whenComplete(
                (published, failure) -> {
                  if (failure == null) {
                    if (published.possiblyTwice()) {
                      possiblyTwice.add(task);
                    }
                    stored.put(task, new Place(published.stream(), published.sequence()));
                  } else {
                    failures.merge(failure.getClass().getSimpleName(), 1, Integer::sum);
                    again.add(task);
                  }
                  open.decrementAndGet();
                });
  }

  /** Every task that was published so far, and where it is stored. */
  Map<Task, Place> stored() {
    return stored;
  }

  /** Those of which the publisher said that they may be stored twice. */
  Set<Task> possiblyTwice() {
    return possiblyTwice;
  }

  /** How often a publication was answered with what. */
  Map<String, Integer> failures() {
    return failures;
  }

  /** Publishes nothing new, and waits until all is confirmed. */
  void finish() throws InterruptedException {
    stopping.countDown();
    thread.join(TimeUnit.MINUTES.toMillis(3));
    if (thread.isAlive()) {
      throw new AssertionError("what was published last is not confirmed: " + failures);
    }
  }

  @Override
  public void close() {
    try {
      stopping.countDown();
      thread.interrupt();
      publisher.close();
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
