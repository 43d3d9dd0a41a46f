package dev.contrail.jetstream;

import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * Describes a publisher, to be opened with {@link #start}. Every setting has a default that is safe
 * in production; what is out of range is refused at once, with a sentence that says what is
 * accepted. Not thread-safe.
 */
public final class PublisherBuilder {
  private final Connection connection;
  private Duration retryFor = PublisherOptions.DEFAULT.retryFor();
  private int inFlight = PublisherOptions.DEFAULT.inFlight();
  private long inFlightBytes = PublisherOptions.DEFAULT.inFlightBytes();
  private Optional<Duration> duplicateWindow = Optional.empty();
  private Optional<String> fallback = Optional.empty();
  private Duration refreshEvery = PublisherOptions.DEFAULT.refreshEvery();
  private JetStreamOptions jetStream = PublisherOptions.DEFAULT.jetStream();

  PublisherBuilder(Connection connection) {
    this.connection = connection;
  }

  /**
   * For how long a message is sent again while the server is away, does not answer or cannot take
   * it for now; 1 min. A message that may be stored already is sent again only within three
   * quarters of its stream's duplicate window, however long this is.
   */
  public PublisherBuilder retryFor(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "time for retries is " + time + ", but must not be negative");
    }
    this.retryFor = time;
    return this;
  }

  /**
   * How many messages may be under way at once; 1,000. Whoever publishes one more waits. With 1,
   * messages of one publisher are stored in the order in which they were published; else one that
   * had to be sent again comes later.
   */
  public PublisherBuilder inFlight(int messages) {
    if (messages < 1) {
      throw new IllegalArgumentException(
          "messages in flight are " + messages + ", but must be at least 1");
    }
    this.inFlight = messages;
    return this;
  }

  /** How many bytes, headers and payload, may be under way at once; 64 MiB. */
  public PublisherBuilder inFlightBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "bytes in flight are " + bytes + ", but must be at least 1");
    }
    this.inFlightBytes = bytes;
    return this;
  }

  /**
   * The duplicate window of the streams that are published to, for a user that may not look at
   * them. Without it, streams are asked when it matters: once a message was not answered.
   */
  public PublisherBuilder duplicateWindow(Duration window) {
    if (window.isNegative() || window.isZero()) {
      throw new IllegalArgumentException(
          "duplicate window is " + window + ", but must be above zero");
    }
    this.duplicateWindow = Optional.of(window);
    return this;
  }

  /**
   * Where messages go that no consumer claims at the moment they are published: those on a subject
   * that no filter of a consumer of its stream takes, or that no stream takes. They say so in the
   * header {@value ContrailPublisher#REROUTED_FROM}.
   */
  public PublisherBuilder fallback(String subject) {
    ContrailPublisher.checkSubject(subject);
    this.fallback = Optional.of(subject);
    return this;
  }

  /**
   * How often what consumers claim is looked up when no advisory told of a change; 10 s. Only with
   * a {@link #fallback}.
   */
  public PublisherBuilder refreshEvery(Duration time) {
    if (time.compareTo(Duration.ofMillis(100)) < 0) {
      throw new IllegalArgumentException(
          "time between refreshes is " + time + ", but must be at least 100 ms");
    }
    this.refreshEvery = time;
    return this;
  }

  /** The JetStream domain or API prefix, and how long to wait for answers, of streams too; 5 s. */
  public PublisherBuilder jetStream(JetStreamOptions options) {
    this.jetStream = options;
    return this;
  }

  /**
   * Opens it.
   *
   * @throws ContrailException when this user may not hear answers, or not look at what consumers
   *     claim, or no stream takes the fallback; the message is one sentence for people
   */
  public ContrailPublisher start() {
    return ContrailPublisher.start(
        connection,
        new PublisherOptions(
            retryFor, inFlight, inFlightBytes, duplicateWindow, fallback, refreshEvery, jetStream));
  }
}
