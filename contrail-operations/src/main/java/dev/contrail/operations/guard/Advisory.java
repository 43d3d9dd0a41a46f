package dev.contrail.operations.guard;

import dev.contrail.evidence.Reason;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * What the server said of a message that a consumer will not be given again.
 *
 * @param reason {@link Reason#EXHAUSTED} or {@link Reason#TERMINATED}
 * @param deliveries how often the consumer had been given it
 * @param at when the server said so
 * @param given why it was terminated, in the words of whoever did; empty where there are none
 */
record Advisory(Reason reason, GuardedMessage message, long deliveries, Instant at, String given) {
  private static final String TYPE = "io.nats.jetstream.advisory.v1.";
  private static final String DELETED = "Unacknowledged message was deleted";

  /** The advisory; empty for any other, and for what is none. */
  static Optional<Advisory> parse(byte[] json) {
    try {
      JsonValue value = JsonParser.parse(json);
      Optional<Reason> reason = reason(JsonValueUtils.readString(value, "type", ""));
      String stream = JsonValueUtils.readString(value, "stream", "");
      String consumer = JsonValueUtils.readString(value, "consumer", "");
      long sequence = JsonValueUtils.readLong(value, "stream_seq", 0);
      if (reason.isEmpty() || stream.isEmpty() || consumer.isEmpty() || sequence < 1) {
        return Optional.empty();
      }
      return Optional.of(
          new Advisory(
              reason.get(),
              new GuardedMessage(stream, consumer, sequence),
              JsonValueUtils.readLong(value, "deliveries", 0),
              OffsetDateTime.parse(JsonValueUtils.readString(value, "timestamp", "")).toInstant(),
              JsonValueUtils.readString(value, "reason", "")));
    } catch (JsonParseException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Reason> reason(String type) {
    return switch (type) {
      case TYPE + "max_deliver" -> Optional.of(Reason.EXHAUSTED);
      case TYPE + "terminated" -> Optional.of(Reason.TERMINATED);
      default -> Optional.empty();
    };
  }

  /** Whether it was not terminated by its consumer, but is gone; servers before 2.15 do not say. */
  boolean tellsOfLoss() {
    return reason == Reason.TERMINATED && given.equals(DELETED);
  }

  /** What it says, in one sentence. */
  String why() {
    if (reason == Reason.EXHAUSTED) {
      return "consumer "
          + message.consumer()
          + " was given it "
          + times(deliveries)
          + " and never acknowledged it";
    }
    return "consumer "
        + message.consumer()
        + " terminated it on delivery "
        + deliveries
        + (given.isEmpty() ? "" : ": " + given);
  }

  private static String times(long count) {
    return count == 1 ? "once" : count == 2 ? "twice" : count + " times";
  }
}
