package dev.contrail.jetstream;

import io.nats.client.Connection;
import io.nats.client.Connection.Status;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what consumers take of the streams that are published to. The server's advisories tell when
 * that changes; since those are told once and may not be allowed, it is also looked up every few
 * seconds, and once more before anything is rerouted.
 */
final class ClaimsWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ContrailPublisher.class);
  private static final int STREAM_NOT_FOUND = 10059;
  private static final String ADVISORIES = "$JS.EVENT.ADVISORY.";
  private static final List<String> CHANGES =
      List.of(
          "CONSUMER.CREATED.>",
          "CONSUMER.DELETED.>",
          "STREAM.CREATED.>",
          "STREAM.UPDATED.>",
          "STREAM.DELETED.>");

  /** Nothing is rerouted by what is older than this. */
  private static final long FRESH = Duration.ofSeconds(1).toNanos();

  /** For so long a server that was sure once that it knows of no stream is taken at its word. */
  private static final long SURE = Duration.ofSeconds(10).toNanos();

  private final Connection connection;
  private final JetStreamOptions jetStream;
  private final long refreshEvery;
  private final LongSupplier clock;
  private final Consumer<Duration> pause;
  private final Dispatcher advisories;
  private volatile Claims claims = new Claims(Map.of());
  private volatile long readAt;
  private volatile boolean changed;
  private volatile Sure sure = new Sure("", 0);

  /** When a server was sure that it knows of no stream. */
  private record Sure(String server, long at) {}

  /** Begins to listen to advisories, if it may. */
  ClaimsWatch(
      Connection connection,
      JetStreamOptions jetStream,
      Duration refreshEvery,
      LongSupplier clock) {
    this(connection, jetStream, refreshEvery, clock, StreamOfSubject::pause);
  }

  /** The same with other pauses before a server is asked again. */
  ClaimsWatch(
      Connection connection,
      JetStreamOptions jetStream,
      Duration refreshEvery,
      LongSupplier clock,
      Consumer<Duration> pause) {
    this.connection = connection;
    this.jetStream = jetStream;
    this.refreshEvery = refreshEvery.toNanos();
    this.clock = clock;
    this.pause = pause;
    this.readAt = clock.getAsLong();
    this.advisories = connection.createDispatcher(this::noteChange);
    CHANGES.forEach(change -> advisories.subscribe(ADVISORIES + change));
  }

  /**
   * Whether a consumer takes it. Asks the server when the subject's stream is not known yet, and
   * before it says no; while the server is away, what was known last counts, and else that it does.
   * May block.
   *
   * @throws ContrailException when this user may not ask, in one sentence
   */
  boolean isClaimed(String subject) {
    Optional<Boolean> known = claims.claimed(subject);
    if (known.isPresent() && known.get()) {
      return true;
    }
    try {
      return askedWhetherClaimed(subject);
    } catch (ServerUnavailableException e) {
      log.debug("what consumers take is as it was a while ago: {}", e.getMessage());
      return known.orElse(true);
    }
  }

  /** Looks it up if it is time to. May block; never fails. */
  void refreshIfDue() {
    boolean due = changed || clock.getAsLong() - readAt >= refreshEvery;
    if (due && connection.getStatus() == Status.CONNECTED && !claims.streams().isEmpty()) {
      try {
        refresh();
      } catch (ContrailException e) {
        log.warn("What consumers take cannot be refreshed: {}", e.getMessage());
        readAt = clock.getAsLong();
      }
    }
  }

  @Override
  public void close() {
    if (connection.getStatus() != Status.CLOSED) {
      connection.closeDispatcher(advisories);
    }
  }

  private boolean askedWhetherClaimed(String subject) {
    Optional<Boolean> known = fresh(subject);
    if (known.isPresent()) {
      return known.get();
    }
    streamTaking(subject).ifPresent(this::add);
    return claims.claimed(subject).orElse(false);
  }

  private synchronized Optional<Boolean> fresh(String subject) {
    if (changed || clock.getAsLong() - readAt >= FRESH) {
      refresh();
    }
    return claims.claimed(subject);
  }

  private synchronized void add(String stream) {
    read(stream).ifPresent(read -> claims = claims.with(stream, read));
  }

  private synchronized void refresh() {
    changed = false;
    long now = clock.getAsLong();
    Map<String, Claims.Stream> fresh = new HashMap<>();
    for (String name : claims.streams().keySet()) {
      read(name).ifPresent(stream -> fresh.put(name, stream));
    }
    if (!fresh.equals(claims.streams())) {
      log.info("what consumers take has changed");
    }
    claims = new Claims(fresh);
    readAt = now;
  }

  /**
   * The stream that takes it; empty where none does. Who publishes to many such subjects waits for
   * that once in a while, and not for each of them; others wait for nobody.
   */
  Optional<String> streamTaking(String subject) {
    if (isSure()) {
      return streamSaidToTake(subject);
    }
    Optional<String> found = StreamOfSubject.ask(() -> streamSaidToTake(subject), pause);
    if (found.isEmpty()) {
      sure = new Sure(server(), clock.getAsLong());
    }
    return found;
  }

  private boolean isSure() {
    Sure last = sure;
    return last.server().equals(server()) && clock.getAsLong() - last.at() < SURE;
  }

  private String server() {
    return String.valueOf(connection.getServerInfo().getServerId());
  }

  private Optional<String> streamSaidToTake(String subject) {
    return ask("find the stream of " + subject, it -> it.getStreamNames(subject), "STREAM.NAMES")
        .stream()
        .findFirst();
  }

  /** A stream and its consumers; empty where there is none. */
  private Optional<Claims.Stream> read(String name) {
    return ask(
        "list the consumers of " + name,
        management -> {
          try {
            StreamConfiguration config = management.getStreamInfo(name).getConfiguration();
            List<ConsumerInfo> consumers = management.getConsumers(name);
            return Optional.of(new Claims.Stream(config.getSubjects(), filters(config, consumers)));
          } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() == STREAM_NOT_FOUND) {
              return Optional.empty();
            }
            throw e;
          }
        },
        "STREAM.INFO." + name,
        "CONSUMER.LIST." + name);
  }

  // Consumers filter what a stream made of the subject, which nobody can tell from here.
  private static List<String> filters(StreamConfiguration config, List<ConsumerInfo> consumers) {
    return config.getSubjectTransform() != null
        ? List.of(">")
        : consumers.stream()
            .map(ConsumerInfo::getConsumerConfiguration)
            .flatMap(consumer -> filters(consumer).stream())
            .distinct()
            .sorted()
            .toList();
  }

  private static List<String> filters(ConsumerConfiguration consumer) {
    List<String> filters = consumer.getFilterSubjects();
    return filters == null || filters.isEmpty() ? List.of(">") : filters;
  }

  // In an account where others come and go all the time, those of other streams cost nothing.
  private void noteChange(Message advisory) {
    String subject = advisory.getSubject();
    if (claims.streams().keySet().stream()
        .anyMatch(name -> (subject + ".").contains("." + name + "."))) {
      changed = true;
    }
  }

  private interface Question<T> {
    T ask(JetStreamManagement management) throws IOException, JetStreamApiException;
  }

  private <T> T ask(String task, Question<T> question, String... calls) {
    try {
      return question.ask(connection.jetStreamManagement(jetStream));
    } catch (JetStreamApiException e) {
      throw JetStreamFailure.refused(connection, task, e);
    } catch (IOException | IllegalStateException e) {
      throw JetStreamFailure.unanswered(connection, task, e, calls);
    }
  }
}
