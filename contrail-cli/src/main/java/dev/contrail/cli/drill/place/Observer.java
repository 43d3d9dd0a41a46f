package dev.contrail.cli.drill.place;

import dev.contrail.ledger.SequenceSet;
import dev.contrail.ledger.log.LedgerView;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.MessageConsumer;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Watches a workplace from outside: when completions were recorded, and what the server says of
 * acks. Times are those at which it was learned here, so whatever begins later began after it.
 */
public final class Observer implements AutoCloseable {
  private static final String TERMS = "$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.";
  private static final String ACKS = "$JS.EVENT.METRIC.CONSUMER.ACK.";

  /**
   * An ack that reached the server.
   *
   * @param deliveries how often the message had been delivered by then
   */
  public record Acked(long micros, long deliveries) {}

  private final Clock clock;
  private final LedgerView view = new LedgerView();
  private final Map<Long, Long> recorded = new ConcurrentHashMap<>();
  private final Map<Long, Acked> acked = new ConcurrentHashMap<>();
  private final Set<Long> terminated = ConcurrentHashMap.newKeySet();
  private final Dispatcher dispatcher;
  private final Workplace place;
  private final MessageConsumer ledger;

  private Observer(Workplace place, Clock clock) throws IOException, JetStreamApiException {
    this.place = place;
    this.clock = clock;
    this.dispatcher = place.connection().createDispatcher(this::metric);
    this.dispatcher.subscribe(ACKS + place.stream() + "." + place.consumerName());
    this.dispatcher.subscribe(TERMS + place.stream() + "." + place.consumerName());
    this.ledger =
        place
            .connection()
            .getStreamContext(place.names().ledgerStream(), place.site().jetStream())
            .createOrderedConsumer(
                new OrderedConsumerConfiguration().deliverPolicy(DeliverPolicy.All))
            .consume(this::record);
  }

  /** Watches from now on. */
  public static Observer of(Workplace place, Clock clock) {
    try {
      return new Observer(place, clock);
    } catch (IOException | JetStreamApiException e) {
      throw new DrillException("the ledger cannot be watched: " + e.getMessage(), e);
    }
  }

  private long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }

  private void record(Message message) {
    String subject = message.getSubject();
    byte[] data = message.getData() == null ? new byte[0] : message.getData();
    SequenceSet completed;
    synchronized (view) {
      view.apply(
          message.metaData().streamSequence(),
          subject.substring(subject.lastIndexOf('.') + 1),
          data,
          message.metaData().timestamp().toInstant().toEpochMilli());
      completed = view.completedSet();
    }
    long now = micros();
    completed
        .ranges()
        .forEach(
            range -> {
              for (long sequence = range.from(); sequence <= range.to(); sequence++) {
                recorded.putIfAbsent(sequence, now);
              }
            });
  }

  private void metric(Message message) {
    try {
      JsonValue metric = JsonParser.parse(message.getData());
      long sequence = JsonValueUtils.readLong(metric, "stream_seq", 0);
      if (message.getSubject().startsWith(TERMS)) {
        terminated.add(sequence);
      } else {
        acked.putIfAbsent(
            sequence, new Acked(micros(), JsonValueUtils.readLong(metric, "deliveries", 0)));
      }
    } catch (JsonParseException e) {
      throw new IllegalStateException("a metric of the server is not JSON", e);
    }
  }

  /** When it was learned that a message's completion is recorded, in microseconds. */
  public Map<Long, Long> recorded() {
    return new HashMap<>(recorded);
  }

  /** The acks of which the server told. */
  public Map<Long, Acked> acked() {
    return new HashMap<>(acked);
  }

  /** The messages of which the server told that they were terminated. */
  public Set<Long> terminated() {
    return Set.copyOf(terminated);
  }

  @Override
  public void close() {
    ledger.stop();
    place.connection().closeDispatcher(dispatcher);
  }
}
