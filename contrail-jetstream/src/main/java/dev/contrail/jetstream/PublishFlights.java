package dev.contrail.jetstream;

import dev.contrail.jetstream.PubAnswer.InProcess;
import dev.contrail.jetstream.PubAnswer.Never;
import dev.contrail.jetstream.PubAnswer.Nobody;
import dev.contrail.jetstream.PubAnswer.NotNow;
import dev.contrail.jetstream.PubAnswer.Stored;
import io.nats.client.Connection;
import io.nats.client.Connection.Status;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages under way, and what becomes of them. Answers come in by an inbox of its own, so that
 * the answer to an early attempt still counts when it comes late. {@link #tick} is to be called
 * every now and then.
 */
final class PublishFlights implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ContrailPublisher.class);

  private final Connection connection;
  private final StreamLookup lookup;
  private final PublisherCounts counts;
  private final BiConsumer<Flight, Runnable> landing;
  private final LongSupplier clock;
  private final String inbox;
  private final Dispatcher answers;
  private final Map<String, Flight> flights = new ConcurrentHashMap<>();

  /** Why nothing can be published any more. */
  private volatile @Nullable String over;

  /**
   * @param landing is given each flight that is over, with what completes its result
   */
  PublishFlights(
      Connection connection,
      StreamLookup lookup,
      PublisherCounts counts,
      BiConsumer<Flight, Runnable> landing,
      LongSupplier clock) {
    this.connection = connection;
    this.lookup = lookup;
    this.counts = counts;
    this.landing = landing;
    this.clock = clock;
    this.inbox = connection.createInbox() + ".";
    this.answers = connection.createDispatcher(this::answered);
    answers.subscribe(inbox + "*");
    OutgoingGuard.cutWhatAnswersTo(inbox);
  }

  /** Where answers come in: a subject with a wildcard. */
  String inbox() {
    return inbox + "*";
  }

  void start(Flight flight) {
    flights.put(flight.token(), flight);
    // After it was put there: whoever ends all has seen it, or is seen here.
    String why = over;
    if (why == null) {
      act(flight);
    } else {
      end(flight, why);
    }
  }

  /** Sees to everything whose time has come. */
  void tick() {
    if (flights.isEmpty()) {
      return;
    }
    String error = lastError();
    for (Flight flight : flights.values()) {
      if (isRefused(flight, error)) {
        refused(flight, error);
        end(flight, "this user may not publish to it (" + error + ").");
      } else {
        act(flight);
      }
    }
  }

  /** What was sent on the connection that is gone gets no answer. */
  void disconnected() {
    long now = clock.getAsLong();
    for (Flight flight : flights.values()) {
      synchronized (flight) {
        flight
            .attempts()
            .unanswered(now, "the connection was lost before an answer came", jitter());
      }
    }
  }

  /** Ends all that is under way, as far as it has come, and all that is still to come. */
  void endAll(String why) {
    over = why;
    flights.values().forEach(flight -> end(flight, why));
  }

  @Override
  public void close() {
    OutgoingGuard.noMoreAnswersTo(inbox);
    if (connection.getStatus() != Status.CLOSED) {
      connection.closeDispatcher(answers);
    }
  }

  private static boolean isRefused(Flight flight, String error) {
    synchronized (flight) {
      return flight.attempts().isUnderWay() && isAbout(error, flight);
    }
  }

  private static boolean isAbout(String error, Flight flight) {
    return error.contains("Violation for Publish to \"" + flight.subject() + "\"");
  }

  /** What the server said that this user may not do. */
  private String lastError() {
    return Optional.ofNullable(connection.getLastError()).orElse("");
  }

  private void act(Flight flight) {
    boolean connected = connection.getStatus() == Status.CONNECTED;
    synchronized (flight) {
      switch (flight.attempts().next(clock.getAsLong(), connected, jitter())) {
        case SEND -> send(flight);
        case LEARN -> learn(flight);
        case GIVE_UP -> end(flight, flight.attempts().trouble() + ".");
        case WAIT -> {
          // Its time comes.
        }
      }
    }
  }

  private void send(Flight flight) {
    Attempts attempts = flight.attempts();
    if (attempts.count() > 0) {
      counts.retries.increment();
      log.debug("{}: attempt {}, since {}", flight, attempts.count() + 1, attempts.trouble());
    }
    // A refusal of before, which may be no more since, must not be taken for one of this attempt.
    if (isAbout(lastError(), flight)) {
      connection.clearLastError();
    }
    // Before it leaves: the answer may be here before publish returns.
    attempts.sent(clock.getAsLong(), server());
    try {
      connection.publish(flight.subject(), inbox + flight.token(), flight.headers(), flight.body());
    } catch (IllegalStateException e) {
      attempts.notSent(clock.getAsLong(), "nothing can be sent: " + e.getMessage(), jitter());
    } catch (IllegalArgumentException e) {
      attempts.notSent(clock.getAsLong(), "", jitter());
      end(flight, e.getMessage() + ".");
    }
  }

  private void learn(Flight flight) {
    // Not asked again while this is on its way, and later than at once if it fails.
    flight.attempts().askedAt(clock.getAsLong());
    var unused =
        lookup
            .duplicateMemory(flight.subject())
            .whenComplete(
                (memory, failure) -> {
                  synchronized (flight) {
                    if (failure != null) {
                      log.debug("{}: its stream's duplicate window is not known", flight, failure);
                    } else if (memory.isPresent()) {
                      flight.attempts().learned(memory.get());
                    } else {
                      end(flight, "no answer came, and now no stream takes it.");
                    }
                  }
                });
  }

  private void answered(Message message) {
    Flight flight = flights.get(message.getSubject().substring(inbox.length()));
    if (flight == null) {
      return;
    }
    PubAnswer answer = PubAnswer.of(message);
    if (answer instanceof Stored stored) {
      land(flight, stored);
    } else if (answer instanceof InProcess) {
      inProcess(flight);
    } else if (answer instanceof Nobody) {
      nobody(flight);
    } else if (answer instanceof NotNow busy) {
      refused(flight, "the NATS server refuses it for now: " + busy.reason());
    } else if (answer instanceof Never never) {
      refused(flight, never.reason());
      end(flight, "the NATS server refuses it: " + never.reason() + ".");
    } else {
      end(flight, "what answers on this subject is no stream.");
    }
  }

  /** As if nobody had answered: a leader that dies now may take the earlier one with it. */
  private void inProcess(Flight flight) {
    synchronized (flight) {
      flight
          .attempts()
          .unanswered(
              clock.getAsLong(), "the cluster has not decided on an earlier attempt", jitter());
    }
  }

  private void refused(Flight flight, String why) {
    synchronized (flight) {
      flight.attempts().refused(clock.getAsLong(), why, jitter());
    }
  }

  // Streams have nobody who listens while their leader is elected; only the server knows whether
  // there is one. What was sent meanwhile might be stored when the answer is that there is none.
  private void nobody(Flight flight) {
    synchronized (flight) {
      refused(flight, "no stream takes it");
      flight.attempts().lookUpBegins();
    }
    var unused =
        lookup
            .streamTaking(flight.subject())
            .whenComplete(
                (stream, failure) -> {
                  if (failure == null && stream.isEmpty()) {
                    end(flight, "no stream takes it; “nats stream add” makes one that does.");
                  }
                  synchronized (flight) {
                    flight.attempts().lookUpEnds();
                  }
                });
  }

  private void land(Flight flight, Stored stored) {
    boolean twice;
    int attempts;
    synchronized (flight) {
      attempts = flight.attempts().count();
      twice = !stored.duplicate() && flight.attempts().mayBeTwice(server());
    }
    Published published =
        new Published(
            stored.stream(),
            stored.sequence(),
            stored.duplicate(),
            twice,
            flight.subject(),
            flight.reroutedFrom(),
            attempts);
    if (flights.remove(flight.token(), flight)) {
      counts.published(published);
      landing.accept(flight, () -> flight.result().complete(published));
    }
  }

  private void end(Flight flight, String why) {
    boolean mayBeStored;
    synchronized (flight) {
      mayBeStored = flight.attempts().mayBeStored();
    }
    if (!flights.remove(flight.token(), flight)) {
      return;
    }
    ContrailException failure =
        mayBeStored
            ? new MaybePublishedException(flight + " may be stored or not: " + why)
            : new NotPublishedException(flight + " is not published: " + why);
    (mayBeStored ? counts.unknown : counts.refused).increment();
    log.warn("{}", failure.getMessage());
    landing.accept(flight, () -> flight.result().completeExceptionally(failure));
  }

  private String server() {
    return String.valueOf(connection.getServerInfo().getServerId());
  }

  private static double jitter() {
    return ThreadLocalRandom.current().nextDouble();
  }
}
