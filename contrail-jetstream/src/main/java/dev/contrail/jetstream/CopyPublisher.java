package dev.contrail.jetstream;

import dev.contrail.event.ReplayCopy;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Publishes messages to streams with a header block of any bytes, and tells what is known of their
 * fate. Thread-safe; does not block, nor limit how many are under way.
 */
public final class CopyPublisher {
  private static final int NO_LEADER = 10008;

  /** A leader that dies now may take it with it. */
  private static final Fate IN_PROCESS =
      new Fate.Unknown("the cluster has not decided on an earlier copy");

  private final JetStreamApi api;

  public CopyPublisher(Connection connection, JetStreamOptions jetStream) {
    this.api = new JetStreamApi(connection, jetStream);
  }

  /** What is known of the fate of a message. */
  public sealed interface Fate {
    /**
     * A stream has it.
     *
     * @param duplicate whether the stream had it, by its id, before this was published
     */
    record Stored(String stream, long sequence, boolean duplicate) implements Fate {}

    /**
     * No stream has it, for a reason.
     *
     * @param forNow whether that may pass by itself in a moment, as while a cluster chooses a
     *     leader
     */
    record Refused(String reason, boolean forNow) implements Fate {
      /** For good. */
      public Refused(String reason) {
        this(reason, false);
      }
    }

    /** No answer came: a stream may have it. */
    record Unknown(String reason) implements Fate {}
  }

  /**
   * Publishes it once.
   *
   * @return what is known of its fate; never fails
   */
  public CompletableFuture<Fate> publish(String subject, byte[] headerBlock, byte[] payload) {
    return api.send(subject, new HeaderBytes(headerBlock), payload)
        .thenApply(CopyPublisher::stored)
        .exceptionally(failure -> fate(subject, JetStreamApi.unwrapped(failure)));
  }

  /** The copy that the stream holds there; empty where there is none, or another message. */
  public CompletableFuture<Optional<ReplayCopy>> copyAt(String stream, long sequence) {
    return api.message(stream, sequence)
        .thenApply(stored -> stored.flatMap(message -> ReplayCopy.read(message.headers())))
        .exceptionallyCompose(failure -> JetStreamApi.withoutStream(failure, Optional.empty()));
  }

  /** What a stream holds where it says that it stored a copy. */
  public enum Held {
    THE_COPY,
    ANOTHER_MESSAGE,
    /** No more: acknowledged, deleted, or gone with the stream. */
    NOTHING
  }

  /** What the stream holds there. */
  public CompletableFuture<Held> heldAt(String stream, long sequence, ReplayCopy copy) {
    return api.message(stream, sequence)
        .thenApply(
            stored ->
                stored
                    .map(message -> ReplayCopy.read(message.headers()).filter(copy::equals))
                    .map(read -> read.isPresent() ? Held.THE_COPY : Held.ANOTHER_MESSAGE)
                    .orElse(Held.NOTHING))
        .exceptionallyCompose(failure -> JetStreamApi.withoutStream(failure, Held.NOTHING));
  }

  private static Fate stored(JsonValue answer) {
    String stream = JsonValueUtils.readString(answer, "stream", "");
    long sequence = JsonValueUtils.readLong(answer, "seq", 0);
    if (!stream.isEmpty() && sequence == 0) {
      return IN_PROCESS;
    }
    return stream.isEmpty()
        ? new Fate.Unknown("what answers is no stream")
        : new Fate.Stored(stream, sequence, JsonValueUtils.readBoolean(answer, "duplicate", false));
  }

  private static Fate fate(String subject, Throwable failure) {
    if (failure instanceof NobodyListensException) {
      return new Fate.Refused("no stream takes " + subject, true);
    }
    if (JetStreamApi.errorCode(failure) == PubAnswer.KEY_IN_PROCESS) {
      return IN_PROCESS;
    }
    String reason = String.valueOf(failure.getMessage());
    // What the client itself refuses, such as a message larger than the server takes, was not sent.
    boolean known =
        failure instanceof JetStreamErrorException || !(failure instanceof ContrailException);
    return known
        ? new Fate.Refused(reason, JetStreamApi.errorCode(failure) == NO_LEADER)
        : new Fate.Unknown(reason);
  }
}
