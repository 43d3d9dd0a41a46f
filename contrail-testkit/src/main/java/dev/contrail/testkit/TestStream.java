package dev.contrail.testkit;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.jetstream.ConsumerBuilder;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.Names;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/**
 * A stream of one test, and what Contrail makes of its messages. Waits at most 30 s for anything.
 * Thread-safe.
 */
public final class TestStream {
  private final Sandbox sandbox;
  private final String name;
  private final Names names;

  TestStream(Sandbox sandbox, String name, Names names) {
    this.sandbox = sandbox;
    this.name = name;
    this.names = names;
  }

  /** Its name, which no other stream has. */
  public String name() {
    return name;
  }

  /** One of its subjects: the stream has all that begin with its name. */
  public String subject(String tokens) {
    return name + "." + tokens;
  }

  /** Publishes text, as UTF-8, and returns its sequence. */
  public long publish(String payload) {
    return publish(payload.getBytes(StandardCharsets.UTF_8));
  }

  /** Publishes a payload and returns its sequence. */
  public long publish(byte[] payload) {
    return publish(subject("work"), new Headers(), payload);
  }

  /** Publishes a message on one of its {@linkplain #subject subjects}; returns its sequence. */
  public long publish(String subject, Headers headers, byte[] payload) {
    try {
      return sandbox.connected().jetStream().publish(subject, headers, payload).getSeqno();
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException("not published: " + e.getMessage(), e);
    }
  }

  /**
   * A consumer to be configured and started as in production; its dead letters and its ledger are
   * those of the test. To be closed before the test ends.
   */
  public ConsumerBuilder<byte[]> consumer(String consumer) {
    return Contrail.consumer(sandbox.connected(), name, consumer).prefix(names.prefix());
  }

  /**
   * A consumer that does one step at a time, when told.
   *
   * @param configured gives it its codec, its handler, and whatever else production sets
   */
  public SingleStep singleStep(
      String consumer, Function<ConsumerBuilder<byte[]>, ConsumerBuilder<?>> configured) {
    return sandbox.closing(
        new SingleStep(name + "/" + consumer, configured.apply(consumer(consumer)).stepped()));
  }

  /** How many messages it holds. */
  public long messages() {
    try {
      return management().getStreamInfo(name).getStreamState().getMsgCount();
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException("the stream cannot be looked at: " + e.getMessage(), e);
    }
  }

  /**
   * Waits until a consumer has acknowledged, or terminated, all that was published.
   *
   * @throws AssertionError when it has not in time
   */
  public void awaitDone(String consumer) {
    Await.until(
        () -> {
          ConsumerInfo info = info(consumer);
          return info.getNumPending() == 0 && info.getNumAckPending() == 0;
        },
        () ->
            "expected consumer "
                + consumer
                + " to be done with all of "
                + name
                + ", but it has "
                + info(consumer).getNumPending()
                + " messages before it and "
                + info(consumer).getNumAckPending()
                + " in hand or waiting for their retry");
  }

  /** The dead letters of its messages, by sequence. */
  public List<DeadLetter> deadLetters() {
    DeadLetterArchive archive =
        new DeadLetterArchive(sandbox.connected(), JetStreamOptions.defaultOptions(), names);
    return archive.idsOf(name).join().stream()
        .map(id -> archive.read(id).join().orElseThrow())
        .toList();
  }

  /**
   * Waits until so many of its messages are dead; returns their dead letters.
   *
   * @throws AssertionError when there are fewer after a while, or more
   */
  public List<DeadLetter> awaitDeadLetters(int count) {
    Await.until(
        () -> deadLetters().size() >= count,
        () ->
            "expected " + count + " dead letters of " + name + ", but there are " + deadLetters());
    List<DeadLetter> letters = deadLetters();
    if (letters.size() > count) {
      throw new AssertionError(
          "expected " + count + " dead letters of " + name + ", but there are " + letters);
    }
    return letters;
  }

  private ConsumerInfo info(String consumer) {
    try {
      return management().getConsumerInfo(name, consumer);
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException(
          "consumer " + consumer + " cannot be looked at: " + e.getMessage(), e);
    }
  }

  private JetStreamManagement management() throws IOException {
    return sandbox.connected().jetStreamManagement();
  }

  @Override
  public String toString() {
    return name;
  }
}
