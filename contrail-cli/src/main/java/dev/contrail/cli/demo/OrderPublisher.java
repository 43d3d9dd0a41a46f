package dev.contrail.cli.demo;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Customers: orders at a steady pace, most of them fine. Not one of them knows about Contrail. */
final class OrderPublisher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OrderPublisher.class);
  private static final String[] CUSTOMERS = {"Ada", "Grace", "Linus", "Margaret", "Dennis"};
  private static final JsonMapper JSON = JsonMapper.shared();

  // In a thousand: the rest is fine.
  private static final int BANK_BUSY = 60;
  private static final int POISON = 12;
  private static final int NOTHING_TO_CHARGE = 12;
  private static final int CORRUPT = 12;

  private final Connection connection;
  private final Duration pause;
  private final Random random;
  private final AtomicLong published = new AtomicLong();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "demo-customers");

  OrderPublisher(Connection connection, int perSecond, Random random) {
    this.connection = connection;
    this.pause = Duration.ofSeconds(1).dividedBy(perSecond);
    this.random = random;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  long published() {
    return published.get();
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

  private void run() {
    try {
      long next = System.nanoTime();
      while (!stop.await(next - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        publish();
        next += pause.toNanos();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void publish() {
    try {
      connection.jetStream().publish("orders.new", order(published.get() + 1));
      published.incrementAndGet();
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      log.warn("a customer could not order: {}", e.getMessage());
    }
  }

  private byte[] order(long id) {
    int lot = random.nextInt(1_000);
    String customer = CUSTOMERS[random.nextInt(CUSTOMERS.length)];
    if (lot < CORRUPT) {
      return ("{\"id\":" + id + ",\"customer\":\"" + customer).getBytes(StandardCharsets.UTF_8);
    }
    Order.Fate fate = fate(lot - CORRUPT);
    long cents = fate == Order.Fate.NOTHING_TO_CHARGE ? 0 : 100 + random.nextInt(20_000);
    return JSON.writeValueAsBytes(new Order(id, customer, cents, fate));
  }

  private static Order.Fate fate(int lot) {
    if (lot < BANK_BUSY) {
      return Order.Fate.BANK_BUSY;
    }
    if (lot < BANK_BUSY + POISON) {
      return Order.Fate.POISON;
    }
    return lot < BANK_BUSY + POISON + NOTHING_TO_CHARGE
        ? Order.Fate.NOTHING_TO_CHARGE
        : Order.Fate.FINE;
  }
}
