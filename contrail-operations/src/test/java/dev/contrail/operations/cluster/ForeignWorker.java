package dev.contrail.operations.cluster;

import dev.contrail.jetstream.Contrail;
import io.nats.client.Connection;
import io.nats.client.FetchConsumeOptions;
import io.nats.client.FetchConsumer;
import io.nats.client.Message;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Somebody who knows nothing of Contrail: acknowledges tasks, and returns the doomed at once. */
final class ForeignWorker implements AutoCloseable {
  private final Connection connection;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Set<Long> done = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> troubles = new ConcurrentHashMap<>();

  ForeignWorker(String urls) {
    this.connection = Contrail.connect(urls);
    this.thread = new Thread(this::run, "foreign worker");
    this.thread.start();
  }

  private void run() {
    while (stopping.getCount() > 0) {
      try (FetchConsumer pull =
          connection
              .getConsumerContext(Site.PARCELS, Site.CONSUMER)
              .fetch(FetchConsumeOptions.builder().maxMessages(50).expiresIn(1_000).build())) {
        Message message = pull.nextMessage();
        while (message != null) {
          work(message);
          message = pull.nextMessage();
        }
      } catch (InterruptedException e) {
        return;
      } catch (Exception e) {
        // It goes on when the server does.
        troubles.merge(e.getClass().getSimpleName(), 1, Integer::sum);
        pause();
      }
    }
  }

  private void work(Message message) throws Exception {
    Task task = Task.of(message.getData());
    if (task.kind() == Task.Kind.DOOMED) {
      message.nak();
    } else {
      // Noted first: an ack may be taken whose confirmation is lost.
      done.add(task.number());
      message.ackSync(Duration.ofSeconds(5));
    }
  }

  private void pause() {
    try {
      var unused = stopping.await(200, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The numbers that it has done, and acknowledged or tried to. */
  Set<Long> done() {
    return done;
  }

  @Override
  public void close() {
    try {
      stopping.countDown();
      thread.join(TimeUnit.SECONDS.toMillis(30));
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
