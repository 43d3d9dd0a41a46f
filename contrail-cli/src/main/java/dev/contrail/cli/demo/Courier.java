package dev.contrail.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer that knows nothing of Contrail: it gives up on parcels, tears some, and some go to
 * where nobody looks. What becomes of those is the guard's, and the orphan scan's.
 */
final class Courier implements AutoCloseable {
  static final String STREAM = "PARCELS";

  private static final Logger log = LoggerFactory.getLogger(Courier.class);
  private static final String NAME = "courier";
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final String[] FATES = {"fine", "nobody-home", "fine", "torn", "fine", "lost"};

  private final Connection connection;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "demo-courier");

  Courier(Connection connection) throws IOException, JetStreamApiException {
    this.connection = connection;
    connection
        .jetStreamManagement()
        .addStream(
            StreamConfiguration.builder()
                .name(STREAM)
                .subjects("parcels.>")
                .retentionPolicy(RetentionPolicy.WorkQueue)
                .build());
    connection
        .jetStreamManagement()
        .addOrUpdateConsumer(
            STREAM,
            ConsumerConfiguration.builder()
                .durable(NAME)
                .filterSubject("parcels.new")
                .ackWait(Duration.ofSeconds(2))
                .maxDeliver(2)
                .build());
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      JetStreamSubscription parcels =
          connection.jetStream().subscribe(null, PullSubscribeOptions.bind(STREAM, NAME));
      for (int i = 0; !stop.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS); i++) {
        String fate = FATES[i % FATES.length];
        String subject = fate.equals("lost") ? "parcels.abroad" : "parcels.new";
        connection.jetStream().publish(subject, fate.getBytes(UTF_8));
        parcels.fetch(10, Duration.ofMillis(100)).forEach(Courier::deliver);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      log.warn("the courier stopped: {}", e.getMessage());
    }
  }

  private static void deliver(Message parcel) {
    switch (new String(parcel.getData(), UTF_8)) {
      case "nobody-home" -> parcel.nak();
      case "torn" -> parcel.term();
      default -> parcel.ack();
    }
  }

  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
