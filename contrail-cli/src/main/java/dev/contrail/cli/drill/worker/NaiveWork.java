package dev.contrail.cli.drill.worker;

import dev.contrail.cli.command.Session;
import io.nats.client.ConsumerContext;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A bare client that does in the wrong order what Contrail does in the right one. */
final class NaiveWork implements Runnable {
  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final int NO_MESSAGE_FOUND = 10037;

  private final Session session;
  private final WorkerOrders orders;
  private final RunLog log;

  NaiveWork(Session session, WorkerOrders orders, RunLog log) {
    this.session = session;
    this.orders = orders;
    this.log = log;
  }

  @Override
  public void run() {
    try {
      JetStream jetStream = session.connection().jetStream(session.jetStream());
      JetStreamManagement management =
          session.connection().jetStreamManagement(session.jetStream());
      ConsumerContext consumer =
          session
              .connection()
              .getStreamContext(orders.stream(), session.jetStream())
              .getConsumerContext(orders.consumer());
      log.write(RunLine.What.UP, orders.role().name());
      while (true) {
        Message message = consumer.next(WAIT);
        if (message != null) {
          work(message, jetStream, management);
        }
      }
    } catch (IOException | JetStreamApiException | JetStreamStatusCheckedException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void work(Message message, JetStream jetStream, JetStreamManagement management)
      throws IOException, JetStreamApiException, InterruptedException {
    Task task = task(message);
    long sequence = message.metaData().streamSequence();
    long count = message.metaData().deliveredCount();
    boolean ttl = orders.role() == WorkerOrders.Role.TTL;
    String done = WorkerOrders.naiveDone(orders.prefix()) + "." + sequence;
    if (ttl && isThere(management, done)) {
      message.ack();
      return;
    }
    if (orders.role() == WorkerOrders.Role.ACK_FIRST) {
      message.ack();
    }
    log.write(RunLine.What.START, task, sequence, count, "");
    Thread.sleep(orders.work().toMillis());
    if (task.isRejected(false)) {
      log.write(RunLine.What.REJECTED, task, sequence, count, "");
      message.term();
      jetStream.publish(
          WorkerOrders.naiveDead(orders.prefix()) + "." + sequence,
          message.getHeaders(),
          message.getData());
      return;
    }
    log.write(RunLine.What.DONE, task, sequence, count, "");
    if (ttl) {
      jetStream.publish(done, new byte[0]);
    }
    message.ack();
  }

  private boolean isThere(JetStreamManagement management, String subject)
      throws IOException, JetStreamApiException {
    try {
      var unused =
          management.getLastMessage(WorkerOrders.naiveDoneStream(orders.prefix()), subject);
      return true;
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == NO_MESSAGE_FOUND) {
        return false;
      }
      throw e;
    }
  }

  private static Task task(Message message) {
    Headers headers = message.getHeaders();
    return Task.of(
        Optional.ofNullable(headers).map(it -> it.getFirst(Task.NUMBER)),
        Optional.ofNullable(headers).map(it -> it.getFirst(Task.KIND)));
  }
}
