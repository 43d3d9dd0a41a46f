package dev.contrail.jetstream;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.NUID;
import io.nats.client.impl.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads subjects of a stream in order and without a gap, from a place on and then as they come. It
 * uses a consumer of its own, which is given up and made anew whenever there is doubt.
 */
final class LogReader {
  /** Takes what is read, on the reader's thread. */
  interface Sink {
    void read(long reading, long sequence, String subject, byte[] data, long storedMillis);

    /** It cannot go on from where it is. */
    void interrupted(String why);
  }

  private static final Logger log = LoggerFactory.getLogger(LogReader.class);
  private static final Duration EXPIRES = Duration.ofSeconds(30);
  private static final int BATCH = 4_096;
  private static final String PENDING = "Nats-Pending-Messages";
  private static final byte[] NO_BYTES = {};

  private final Connection connection;
  private final JetStreamApi api;
  private final String stream;
  private final String filter;
  private final Sink sink;
  private final Dispatcher dispatcher;
  private final String inbox;

  private long reading;
  private String consumer = "";
  private long expected;
  private int owed;

  LogReader(Connection connection, JetStreamApi api, String stream, String filter, Sink sink) {
    this.connection = connection;
    this.api = api;
    this.stream = stream;
    this.filter = filter;
    this.sink = sink;
    this.inbox = connection.createInbox() + ".";
    this.dispatcher = connection.createDispatcher();
    this.dispatcher.setPendingLimits(-1, -1);
    this.dispatcher.subscribe(inbox + "*", this::received);
  }

  /**
   * Reads from that sequence on. Whatever was being read is given up.
   *
   * @param newReading what the sink knows it by; higher than that of any before, or it is passed
   *     over
   */
  void readFrom(long newReading, long sequence) {
    String name = "contrail-" + NUID.nextGlobal();
    if (!begin(name, newReading)) {
      return;
    }
    var unused =
        api.readFrom(stream, name, filter, sequence)
            .whenComplete(
                (made, failure) -> {
                  if (failure == null) {
                    pull(newReading);
                  } else {
                    sink.interrupted(String.valueOf(failure.getMessage()));
                  }
                });
  }

  void close() {
    begin("", Long.MAX_VALUE);
    if (connection.getStatus() != Connection.Status.CLOSED) {
      connection.closeDispatcher(dispatcher);
    }
  }

  private synchronized boolean begin(String newConsumer, long newReading) {
    if (newReading <= reading) {
      return false;
    }
    reading = newReading;
    consumer = "." + newConsumer + ".";
    expected = 1;
    owed = 0;
    return true;
  }

  private synchronized void pull(long asked) {
    if (asked != reading || connection.getStatus() != Connection.Status.CONNECTED) {
      return;
    }
    owed += BATCH;
    String request = "{\"batch\":" + BATCH + ",\"expires\":" + EXPIRES.toNanos() + "}";
    try {
      connection.publish(
          api.subject("CONSUMER.MSG.NEXT." + stream + consumer.substring(0, consumer.length() - 1)),
          inbox + reading,
          request.getBytes(StandardCharsets.UTF_8));
    } catch (IllegalStateException e) {
      log.debug("{} is not read: {}", filter, e.getMessage());
    }
  }

  private void received(Message message) {
    String replyTo = message.getReplyTo();
    if (replyTo == null || !AckSubject.isOne(replyTo)) {
      ended(Long.parseLong(message.getSubject().substring(inbox.length())), message);
      return;
    }
    OptionalLong of = readingOfNext(replyTo);
    if (of.isPresent()) {
      AckSubject place = AckSubject.parse(replyTo);
      byte[] data = message.getData();
      sink.read(
          of.getAsLong(),
          place.sequence(),
          message.getSubject(),
          data == null ? NO_BYTES : data,
          place.publishedNanos() / 1_000_000);
    }
  }

  /** One that does not follow the one before means that some were lost on the way. */
  private OptionalLong readingOfNext(String replyTo) {
    boolean gap;
    boolean more;
    long mine;
    synchronized (this) {
      if (!replyTo.contains(consumer)) {
        return OptionalLong.empty();
      }
      mine = reading;
      gap = AckSubject.consumerSequence(replyTo) != expected++;
      more = --owed < BATCH / 2;
    }
    if (gap) {
      sink.interrupted("a message is missing");
      return OptionalLong.empty();
    }
    if (more) {
      pull(mine);
    }
    return OptionalLong.of(mine);
  }

  /** The pull is over. What is wrong with the consumer, if anything, a new one does not have. */
  private void ended(long of, Message status) {
    boolean more;
    synchronized (this) {
      if (of != reading || !status.isStatusMessage()) {
        return;
      }
      owed -= unanswered(status);
      more = owed < BATCH / 2;
    }
    int code = status.getStatus().getCode();
    if (code == 404 || code == 408) {
      if (more) {
        pull(of);
      }
    } else if (code != 100) {
      sink.interrupted(status.getStatus().getMessageWithCode());
    }
  }

  /** What it was still to bring; another pull may be under way. */
  private int unanswered(Message status) {
    Headers headers = status.getHeaders();
    String pending = headers == null ? null : headers.getFirst(PENDING);
    return pending == null ? owed : Math.min(owed, Integer.parseInt(pending));
  }
}
