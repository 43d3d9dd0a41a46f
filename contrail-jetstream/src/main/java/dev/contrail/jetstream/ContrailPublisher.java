package dev.contrail.jetstream;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ConnectionListener.Events;
import io.nats.client.impl.Headers;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Publishes messages to streams so that each is stored once, whatever happens to the server and the
 * connection meanwhile.
 *
 * <p>The caller chooses a key for each message, such as the number of the order that it is about.
 * The stream stores one message of a key within its duplicate window. So a message that nobody
 * answered is sent again under its key, until an answer comes or the window is about to end: then
 * nobody can tell whether it is stored, and the caller is told just that.
 *
 * <p>Thread-safe. The connection stays open when it is closed.
 */
public final class ContrailPublisher implements AutoCloseable {
  /** The header of a message that went to the fallback subject: the subject asked for. */
  public static final String REROUTED_FROM = "Contrail-Rerouted-From";

  private final Connection connection;
  private final PublisherOptions options;
  private final InFlightBound bound;
  private final PublisherCounts counts = new PublisherCounts();
  private final PublisherThreads threads;
  private final PublishFlights flights;
  private final Optional<Rerouting> rerouting;
  private final ConnectionListener listener = this::connectionChanged;
  private final AtomicLong tokens = new AtomicLong();
  private final AtomicBoolean closing = new AtomicBoolean();

  private ContrailPublisher(Connection connection, PublisherOptions options) {
    this.connection = connection;
    this.options = options;
    this.bound = new InFlightBound(options.inFlight(), options.inFlightBytes());
    this.threads = new PublisherThreads();
    this.flights =
        new PublishFlights(
            connection,
            new StreamLookup(new JetStreamApi(connection, options.jetStream())),
            counts,
            this::land,
            System::nanoTime);
    this.rerouting = options.fallback().map(subject -> new Rerouting(connection, options, subject));
  }

  static ContrailPublisher start(Connection connection, PublisherOptions options) {
    ContrailPublisher publisher = new ContrailPublisher(connection, options);
    try {
      PublisherCheck.mayHear(connection, publisher.flights.inbox());
      publisher.rerouting.ifPresent(Rerouting::start);
    } catch (RuntimeException e) {
      publisher.close();
      throw e;
    }
    PublisherCheck.warnAbout(connection);
    connection.addConnectionListener(publisher.listener);
    publisher.threads.tick(publisher.flights::tick);
    publisher.rerouting.ifPresent(watch -> publisher.threads.look(watch::refreshIfDue));
    return publisher;
  }

  /** The same without headers. */
  public Published publish(String subject, String key, byte[] body) {
    return publish(subject, key, null, body);
  }

  /**
   * Publishes a message and waits until a stream has it.
   *
   * @param subject without wildcards
   * @param key tells this message from all others of its stream, and is the same whenever this
   *     message is published; printable ASCII
   * @param headers kept as they are
   * @throws NotPublishedException when no stream has it
   * @throws MaybePublishedException when nobody can tell, or this thread was interrupted
   * @throws IllegalArgumentException when the subject or the key cannot be one, or the headers name
   *     another {@code Nats-Msg-Id}
   * @throws IllegalStateException when called by what runs on the result of another, for it would
   *     wait for itself
   */
  public Published publish(String subject, String key, @Nullable Headers headers, byte[] body) {
    if (threads.isResultThread()) {
      throw new IllegalStateException(
          "What runs on the result of a message cannot wait for another, whose result comes on the"
              + " same thread; use publishAsync.");
    }
    CompletableFuture<Published> result = publishAsync(subject, key, headers, body);
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ContrailException failure
          ? again(failure)
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MaybePublishedException(
          "Message “" + key + "” to " + subject + " may be stored or not: interrupted.");
    }
  }

  /** The same without headers. */
  public CompletableFuture<Published> publishAsync(String subject, String key, byte[] body) {
    return publishAsync(subject, key, null, body);
  }

  /**
   * Publishes a message. Waits as long as too many others are under way, but for one that is
   * published by what runs on the result of another. The body must not change meanwhile.
   *
   * @return fails with {@link NotPublishedException} when no stream has it, and with {@link
   *     MaybePublishedException} when nobody can tell. What is run on it runs on a thread of the
   *     publisher's, and holds up the results that come after it
   * @throws IllegalArgumentException when the subject or the key cannot be one, or the headers name
   *     another {@code Nats-Msg-Id}
   */
  public CompletableFuture<Published> publishAsync(
      String subject, String key, @Nullable Headers headers, byte[] body) {
    checkSubject(subject);
    Headers with = MessageKey.into(headers, key);
    // Also where the message is not rerouted: whose copy it is must not be taken from another.
    with.remove(REROUTED_FROM);
    long room = Flight.size(with, body);
    Optional<String> refusal = refusedEntry(room);
    if (refusal.isPresent()) {
      return refused("Message “" + key + "” to " + subject + " is not published: " + refusal.get());
    }
    Flight flight;
    try {
      flight = flight(subject, with, body, room);
    } catch (ContrailException e) {
      bound.leave(room);
      return refused(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      bound.leave(room);
      throw e;
    }
    refusal = PublisherCheck.tooLarge(connection, flight);
    if (refusal.isPresent()) {
      bound.leave(room);
      return refused(flight + " is not published: " + refusal.get());
    }
    flights.start(flight);
    return flight.result();
  }

  /** Who claims it is asked when there is room for it: before, that may change while it waits. */
  private Flight flight(String subject, Headers headers, byte[] body, long room) {
    Optional<String> fallback = rerouting.flatMap(watch -> watch.insteadOf(subject));
    fallback.ifPresent(instead -> headers.put(REROUTED_FROM, subject));
    return new Flight(
        Long.toString(tokens.incrementAndGet(), Character.MAX_RADIX),
        fallback.orElse(subject),
        fallback.map(instead -> subject),
        headers,
        body,
        room,
        new Attempts(
            System.nanoTime(),
            options.retryFor(),
            options.answerTimeout(),
            options.duplicateWindow().map(window -> new DuplicateMemory(window, true))));
  }

  private CompletableFuture<Published> refused(String why) {
    counts.refused.increment();
    return CompletableFuture.failedFuture(new NotPublishedException(why));
  }

  /** What it has done and is doing. */
  public PublisherStatus status() {
    return counts.status(bound);
  }

  /**
   * Takes no more messages and waits until the fate of those under way is known, as long as it
   * would retry them. Whatever runs on their results has run when this returns.
   */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    bound.close();
    try {
      if (!threads.isResultThread()) {
        bound.awaitEmpty(options.retryFor().plus(options.answerTimeout()).toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connection.removeConnectionListener(listener);
      flights.endAll("the publisher was closed.");
      flights.close();
      rerouting.ifPresent(Rerouting::close);
      threads.close();
    }
  }

  /**
   * Refuses what cannot be published to.
   *
   * @throws IllegalArgumentException with one sentence
   */
  static void checkSubject(String subject) {
    boolean bad =
        subject.isEmpty()
            || subject.chars().anyMatch(c -> c <= ' ' || c == 0x7F)
            || Arrays.stream(subject.split("\\.", -1))
                .anyMatch(token -> token.isEmpty() || token.equals("*") || token.equals(">"));
    if (bad) {
      throw new IllegalArgumentException(
          "“" + subject + "” is no subject to publish to; accepted are subjects like orders.new");
    }
  }

  private Optional<String> refusedEntry(long size) {
    try {
      return bound.enter(size, !threads.isResultThread())
          ? Optional.empty()
          : Optional.of("the publisher is closed.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("this thread was interrupted while too many others were under way.");
    }
  }

  // What runs on the result runs before there is room for another: it is part of the bound.
  private void land(Flight flight, Runnable complete) {
    threads.result(
        () -> {
          try {
            complete.run();
          } finally {
            bound.leave(flight.room());
          }
        });
  }

  /** The same failure with this thread's stack. */
  private static ContrailException again(ContrailException failure) {
    String sentence = String.valueOf(failure.getMessage());
    ContrailException here =
        failure instanceof NotPublishedException
            ? new NotPublishedException(sentence)
            : new MaybePublishedException(sentence);
    here.addSuppressed(failure);
    return here;
  }

  private void connectionChanged(Connection changed, Events event) {
    switch (event) {
      case DISCONNECTED -> flights.disconnected();
      // What a user may do changes with the connection, and what was refused may be no more.
      case RECONNECTED -> connection.clearLastError();
      case CLOSED -> flights.endAll("the connection was closed.");
      default -> {
        // The others change nothing for a publisher.
      }
    }
  }
}
