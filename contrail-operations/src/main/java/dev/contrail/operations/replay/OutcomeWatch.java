package dev.contrail.operations.replay;

import dev.contrail.event.EventAddress;
import dev.contrail.event.EventFormat;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.UnreadableEventException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.RawHeaders;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.MessageConsumer;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows the outcomes of replays as they are told, from some point of the stream of events on. */
final class OutcomeWatch implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  /**
   * A cluster may not know the way to the consumer yet that it has just made. The client notices
   * when it hears nothing for longer than this, and has to well before the patience is over.
   */
  private static final ConsumeOptions HOW = ConsumeOptions.builder().expiresIn(3_000).build();

  private static final int NO_MESSAGE_FOUND = 10037;

  private final Names names;
  private final Outcomes outcomes;
  private final Consumer<String> unreadable;
  private final CountDownLatch caughtUp = new CountDownLatch(1);
  private final Connection connection;
  private final JetStreamOptions options;
  private final long from;
  private @Nullable MessageConsumer messages;

  /**
   * Follows nothing yet.
   *
   * @param from the first sequence of interest
   */
  OutcomeWatch(
      Connection connection,
      JetStreamOptions options,
      Names names,
      long from,
      Outcomes outcomes,
      Consumer<String> unreadable) {
    this.connection = connection;
    this.options = options;
    this.names = names;
    this.from = from;
    this.outcomes = outcomes;
    this.unreadable = unreadable;
  }

  /**
   * Begins to follow: whoever wants to hear of outcomes has said so before.
   *
   * @throws ContrailException when the stream of events cannot be read
   */
  void begin() {
    String filter = names.prefix() + ".event.*.*.*.*.outcome.*";
    try {
      boolean none = !isAny(connection, options, names.eventStream(), from, filter);
      this.messages =
          connection
              .getStreamContext(names.eventStream(), options)
              .createOrderedConsumer(
                  new OrderedConsumerConfiguration()
                      .deliverPolicy(DeliverPolicy.ByStartSequence)
                      .startSequence(from)
                      .headersOnly(true)
                      .filterSubject(filter))
              .consume(HOW, this::accept);
      if (none) {
        caughtUp.countDown();
      }
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw new ContrailException(
          "Outcomes in " + names.eventStream() + " cannot be followed: " + e.getMessage(), e);
    }
  }

  private static boolean isAny(
      Connection connection, JetStreamOptions options, String stream, long from, String filter)
      throws IOException, JetStreamApiException {
    try {
      connection.jetStreamManagement(options).getNextMessage(stream, from, filter);
      return true;
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == NO_MESSAGE_FOUND) {
        return false;
      }
      throw e;
    }
  }

  private void accept(Message message) {
    try {
      EventAddress.ofSubject(names.prefix(), message.getSubject())
          .map(address -> EventFormat.decode(address, RawHeaders.headers(message)))
          .ifPresent(
              event ->
                  outcomes.told(
                      event.address().entry(),
                      event.address().step(),
                      (ReplayOutcome) event.fact(),
                      message.metaData().timestamp().toInstant()));
    } catch (UnreadableEventException e) {
      unreadable.accept(String.valueOf(e.getMessage()));
    }
    if (message.metaData().pendingCount() == 0) {
      caughtUp.countDown();
    }
  }

  /** Waits until all outcomes that were told before are known here. */
  void awaitCaughtUp() throws InterruptedException {
    if (!caughtUp.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new ContrailException(
          "The server stopped sending what " + names.eventStream() + " holds before its end.");
    }
  }

  @Override
  public void close() {
    try {
      if (messages != null) {
        messages.close();
      }
    } catch (Exception e) {
      throw new ContrailException("Outcomes are not followed any more: " + e.getMessage(), e);
    }
  }
}
