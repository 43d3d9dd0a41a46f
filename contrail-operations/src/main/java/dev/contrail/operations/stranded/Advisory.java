package dev.contrail.operations.stranded;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.burial.Corpse;
import io.nats.client.api.StreamInfo;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.time.DateTimeException;
import java.time.Duration;
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
 * @param domain the JetStream domain of the server that said so; empty where it has none
 */
public record Advisory(
    Reason reason,
    GuardedMessage message,
    long deliveries,
    Instant at,
    String given,
    String domain) {
  private static final String TYPE = "io.nats.jetstream.advisory.v1.";
  private static final String DELETED = "Unacknowledged message was deleted";

  /** Servers of a cluster may disagree so much about the time. */
  public static final Duration CLOCKS_DIFFER = Duration.ofSeconds(5);

  /** The advisory; empty for any other, and for what is none. */
  public static Optional<Advisory> parse(byte[] json) {
    try {
      JsonValue value = JsonParser.parse(json);
      Optional<Reason> reason = reason(text(value, "type"));
      String stream = text(value, "stream");
      String consumer = text(value, "consumer");
      long sequence = JsonValueUtils.readLong(value, "stream_seq", 0);
      boolean named = DeadLetterId.isToken(stream) && DeadLetterId.isToken(consumer);
      if (reason.isEmpty() || !named || sequence < 1) {
        return Optional.empty();
      }
      return Optional.of(
          new Advisory(
              reason.get(),
              new GuardedMessage(stream, consumer, sequence),
              JsonValueUtils.readLong(value, "deliveries", 0),
              OffsetDateTime.parse(text(value, "timestamp")).toInstant(),
              text(value, "reason"),
              text(value, "domain")));
    } catch (JsonParseException
        | DateTimeException
        | IndexOutOfBoundsException
        | StackOverflowError e) {
      // Anybody may publish there, nested as deep as he likes; over some bytes the client's parser
      // stumbles, and whoever reads advisories must go on.
      return Optional.empty();
    }
  }

  private static String text(JsonValue value, String key) {
    String text = JsonValueUtils.readString(value, key, "");
    // So the client says that it is no text.
    return text == null ? "" : text;
  }

  private static Optional<Reason> reason(String type) {
    return switch (type) {
      case TYPE + "max_deliver" -> Optional.of(Reason.EXHAUSTED);
      case TYPE + "terminated" -> Optional.of(Reason.TERMINATED);
      default -> Optional.empty();
    };
  }

  /** Whether it was not terminated by its consumer, but is gone; servers before 2.15 do not say. */
  public boolean tellsOfLoss() {
    return reason == Reason.TERMINATED && given.equals(DELETED);
  }

  /** What it says, in one sentence. */
  public String why() {
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

  /**
   * The JetStream domain that a stream is in, empty for none. Leaf nodes pass on the advisories of
   * theirs, and streams there may have the names of those here.
   *
   * @param info of one stream: in the lists of clusters it stands nowhere
   */
  public static String domainOf(StreamInfo info) {
    return text(info.getJv(), "domain");
  }

  /** Whether it tells of a stream in another JetStream domain than that one. */
  public boolean isOfOtherDomain(String here) {
    return !domain.equals(here) && !domain.isEmpty() && !here.isEmpty();
  }

  /** Whether it tells of another domain, or one of them has got its name since or lost it. */
  public boolean isOfDoubtfulDomain(String here) {
    return !domain.equals(here);
  }

  /** Whether it tells of the stream that was made then, and not of one before it of that name. */
  public boolean isOfStreamMade(Instant created) {
    return !created.isAfter(at);
  }

  /** Whether a message that was published then can be the one it tells of. */
  boolean canTellOf(Instant publishedAt) {
    return !publishedAt.isAfter(at.plus(CLOCKS_DIFFER));
  }

  /**
   * Why the consumer may be given the message again, though it once gave up on it.
   *
   * @param fresh whether nothing can have set the consumer back since the server said so
   * @param clocks so much servers may disagree about the time
   */
  public Optional<String> doubt(ConsumerView consumer, boolean fresh, Duration clocks) {
    Optional<Long> limit = consumer.deliveryLimit();
    if (limit.isEmpty()) {
      return Optional.of("its consumer has no MaxDeliver any more, and is busy");
    }
    if (limit.get() > deliveries) {
      return Optional.of("its consumer's MaxDeliver is " + limit.get() + " now, and it is busy");
    }
    // Servers up to 2.10 give a consumer another time at a restart: then it is one doubt too many.
    if (consumer.created().isAfter(at.minus(clocks))) {
      return Optional.of("its consumer may have been made again since, and is busy");
    }
    // A crash of the server and a reset of the consumer leave no trace but what runs again.
    if (consumer.unacked() > 0 && !fresh) {
      return Optional.of("its consumer may have been set back since, and is busy");
    }
    return isPassedBy(consumer)
        ? Optional.empty()
        : Optional.of("its consumer has yet to come to it");
  }

  /** Whether the consumer has come to the message, or beyond it. */
  public boolean isPassedBy(ConsumerView consumer) {
    return consumer.passed() >= message.sequence();
  }

  /** What is to be written down of the message. */
  public Corpse corpse() {
    return corpse(message.consumer());
  }

  /** The same under the name of another consumer. */
  public Corpse corpse(String consumer) {
    return new Corpse(
        message.stream(),
        consumer,
        message.sequence(),
        reason,
        deliveries,
        reason.text(),
        why(),
        at,
        Optional.of(at.plus(CLOCKS_DIFFER)));
  }

  private static String times(long count) {
    return count == 1 ? "once" : count == 2 ? "twice" : count + " times";
  }
}
