package dev.contrail.jetstream;

import dev.contrail.Header;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import io.nats.client.support.NatsRequestCompletableFuture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The few requests to JetStream that the runtime makes while it works, without blocking. What comes
 * back is the answer or a failed future: an error of the server as {@link JetStreamErrorException},
 * silence as {@link ContrailException}, and what the client refuses to send as it threw it.
 */
class JetStreamApi {
  static final int NO_MESSAGE_FOUND = 10037;
  private static final int CONSUMER_NOT_FOUND = 10014;
  static final int STREAM_NOT_FOUND = 10059;
  static final int WRONG_LAST_SEQUENCE = 10071;

  /** Refusals of the very message, by its size: any other would have been taken. */
  private static final Set<Integer> MESSAGE_TOO_LARGE = Set.of(10054, 10097);

  /** Answers to a deletion: no such message, or it could not be removed, for it is not there. */
  private static final Set<Integer> GONE = Set.of(NO_MESSAGE_FOUND, 10043, 10057);

  /**
   * Before this, a purge of one subject moves consumers past messages of others: whoever reads a
   * ledger would miss records.
   */
  private static final String PURGES_ONE_SUBJECT = "2.9.15";

  /** Another message to the subject is being decided on in the cluster: its fate is known soon. */
  private static final int SUBJECT_IN_FLIGHT = 10164;

  /** How long the server keeps a consumer that nobody pulls from. */
  private static final Duration READER_LASTS = Duration.ofMinutes(2);

  private static final int TRIES_WHILE_IN_FLIGHT = 20;
  private static final Duration SHORTLY = Duration.ofMillis(50);

  private static final String EXPECTED_LAST_SUBJECT_SEQUENCE =
      "Nats-Expected-Last-Subject-Sequence";

  private final Connection connection;
  private final String prefix;
  private final Duration timeout;
  private final Surroundings surroundings;

  JetStreamApi(Connection connection, JetStreamOptions options) {
    this.connection = connection;
    this.prefix = options.getPrefix();
    this.timeout = Optional.ofNullable(options.getRequestTimeout()).orElse(Duration.ofSeconds(5));
    this.surroundings = Surroundings.of(connection);
  }

  /** Where this is done. */
  final Surroundings surroundings() {
    return surroundings;
  }

  boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  /** The subject of an API call below the prefix that the domain or the account calls for. */
  String subject(String call) {
    return prefix + call;
  }

  /** The newest message on the subject; empty when there is none. */
  CompletableFuture<Optional<StoredMessage>> last(String stream, String subject) {
    return get(stream, "{\"last_by_subj\":" + new JsonValue(subject).toJson() + "}");
  }

  /** The message of that sequence; empty when it is gone. */
  CompletableFuture<Optional<StoredMessage>> message(String stream, long sequence) {
    return get(stream, "{\"seq\":" + sequence + "}");
  }

  /** The first message from that sequence on whose subject the filter takes; empty when none is. */
  CompletableFuture<Optional<StoredMessage>> next(String stream, String filter, long sequence) {
    return get(
        stream,
        "{\"seq\":" + sequence + ",\"next_by_subj\":" + new JsonValue(filter).toJson() + "}");
  }

  private CompletableFuture<Optional<StoredMessage>> get(String stream, String request) {
    return call("STREAM.MSG.GET." + stream, request)
        .thenApply(answer -> Optional.of(StoredMessage.of(answer)))
        .exceptionally(
            failure -> {
              if (errorCode(failure) == NO_MESSAGE_FOUND) {
                return Optional.empty();
              }
              throw asCompletion(failure);
            });
  }

  /** Publishes; done when that very stream has confirmed that the message is stored. */
  CompletableFuture<Void> publish(String stream, String subject, Headers headers, byte[] body) {
    return store(stream, subject, headers, body).thenAccept(sequence -> {});
  }

  /** The same without headers; the result is the sequence under which it is stored. */
  CompletableFuture<Long> append(String stream, String subject, byte[] body) {
    return store(stream, subject, null, body);
  }

  private CompletableFuture<Long> store(
      String stream, String subject, @Nullable Headers headers, byte[] body) {
    return request(subject, headers, body)
        .thenApply(
            answer -> {
              String confirmed = JsonValueUtils.readString(answer, "stream", "none");
              if (!stream.equals(confirmed)) {
                throw new ContrailException(
                    "a message to " + subject + " was stored by " + confirmed + ", not " + stream);
              }
              return JsonValueUtils.readLong(answer, "seq", 0);
            });
  }

  /** Publishes; the answer is that of whichever stream takes it. */
  CompletableFuture<JsonValue> send(String subject, Headers headers, byte[] body) {
    return request(subject, headers, body);
  }

  /** Deletes the messages of the subject whose sequence is below {@code sequence}. */
  CompletableFuture<Void> purge(String stream, String subject, long sequence) {
    if (!connection.getServerInfo().isSameOrNewerThanVersion(PURGES_ONE_SUBJECT)) {
      return deleteBelow(stream, subject, 1, sequence);
    }
    String request =
        "{\"filter\":" + new JsonValue(subject).toJson() + ",\"seq\":" + sequence + "}";
    return call("STREAM.PURGE." + stream, request).thenAccept(answer -> {});
  }

  private CompletableFuture<Void> deleteBelow(
      String stream, String subject, long from, long sequence) {
    return next(stream, subject, from)
        .thenCompose(
            found ->
                found.isEmpty() || found.get().sequence() >= sequence
                    ? CompletableFuture.<Void>completedFuture(null)
                    : delete(stream, found.get().sequence())
                        .thenCompose(
                            any ->
                                deleteBelow(
                                    stream, subject, found.get().sequence() + 1, sequence)));
  }

  /** Deletes the message of that sequence, without overwriting it; false when it was gone. */
  CompletableFuture<Boolean> delete(String stream, long sequence) {
    return call("STREAM.MSG.DELETE." + stream, "{\"seq\":" + sequence + ",\"no_erase\":true}")
        .thenApply(answer -> true)
        .exceptionallyCompose(
            failure ->
                GONE.contains(errorCode(failure))
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  /**
   * Makes a consumer for this process alone, which delivers what the subjects hold from there on.
   */
  CompletableFuture<Void> readFrom(String stream, String consumer, String filter, long sequence) {
    String subjects = new JsonValue(filter).toJson();
    String request =
        "{\"stream_name\":"
            + new JsonValue(stream).toJson()
            + ",\"config\":{\"name\":"
            + new JsonValue(consumer).toJson()
            + ",\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":"
            + sequence
            + ",\"ack_policy\":\"none\",\"replay_policy\":\"instant\",\"filter_subject\":"
            + subjects
            + ",\"mem_storage\":true,\"num_replicas\":1,\"inactive_threshold\":"
            + READER_LASTS.toNanos()
            + "}}";
    return call("CONSUMER.CREATE." + stream + "." + consumer + "." + filter, request)
        .thenAccept(answer -> {});
  }

  /** The first sequence that a stream still holds. */
  CompletableFuture<Long> firstSequence(String stream) {
    return call("STREAM.INFO." + stream, "")
        .thenApply(
            answer -> {
              JsonValue state = JsonValueUtils.readValue(answer, "state");
              return state == null ? 0 : JsonValueUtils.readLong(state, "first_seq", 0);
            });
  }

  /**
   * What the server's clock says, or said when it last gave that consumer a message, where the
   * server is older than 2.10; empty where it tells neither.
   */
  CompletableFuture<Optional<Instant>> time(String stream, String consumer) {
    return call("CONSUMER.INFO." + stream + "." + consumer, "")
        .thenApply(
            answer -> {
              JsonValue delivered = JsonValueUtils.readValue(answer, "delivered");
              return time(answer, "ts")
                  .or(() -> delivered == null ? Optional.empty() : time(delivered, "last_active"));
            })
        .exceptionallyCompose(
            failure ->
                errorCode(failure) == CONSUMER_NOT_FOUND
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : CompletableFuture.failedFuture(failure));
  }

  private static Optional<Instant> time(JsonValue answer, String field) {
    return Optional.ofNullable(JsonValueUtils.readDate(answer, field))
        .map(ZonedDateTime::toInstant);
  }

  /** The subjects below the filter that the stream holds messages of. */
  CompletableFuture<Set<String>> subjects(String stream, String filter) {
    return call(
            "STREAM.INFO." + stream, "{\"subjects_filter\":" + new JsonValue(filter).toJson() + "}")
        .thenApply(
            answer -> {
              JsonValue state = JsonValueUtils.readValue(answer, "state");
              JsonValue subjects =
                  state == null ? null : JsonValueUtils.readValue(state, "subjects");
              return subjects == null || subjects.map == null ? Set.of() : subjects.map.keySet();
            });
  }

  /**
   * Publishes unless the subject has a message: {@link #WRONG_LAST_SEQUENCE} then. The only
   * compare-and-set in use, since clustered 2.9 servers check any other expectation against old
   * state.
   */
  CompletableFuture<Void> create(
      String stream, String subject, dev.contrail.Headers headers, byte[] body) {
    return create(stream, subject, createOnce(headers), body, TRIES_WHILE_IN_FLIGHT);
  }

  /** With the expectation first: servers of the 2.9 line take the first place of its name. */
  private static HeaderBytes createOnce(dev.contrail.Headers headers) {
    List<Header> lines = new ArrayList<>(headers.size() + 1);
    lines.add(new Header(EXPECTED_LAST_SUBJECT_SEQUENCE, "0"));
    for (Header line : headers) {
      if (!line.name().equals(EXPECTED_LAST_SUBJECT_SEQUENCE)) {
        lines.add(line);
      }
    }
    return new HeaderBytes(dev.contrail.Headers.of(lines).block());
  }

  private CompletableFuture<Void> create(
      String stream, String subject, HeaderBytes headers, byte[] body, int tries) {
    return publish(stream, subject, headers, body)
        .exceptionallyCompose(
            failure ->
                errorCode(failure) == SUBJECT_IN_FLIGHT && tries > 1
                    ? CompletableFuture.supplyAsync(
                            () -> tries - 1, surroundings.background(SHORTLY))
                        .thenCompose(left -> create(stream, subject, headers, body, left))
                    : CompletableFuture.failedFuture(failure));
  }

  CompletableFuture<JsonValue> call(String call, String json) {
    return request(subject(call), null, json.getBytes(StandardCharsets.UTF_8));
  }

  private CompletableFuture<JsonValue> request(
      String subject, @Nullable Headers headers, byte[] body) {
    CompletableFuture<Message> answer;
    try {
      answer = connection.requestWithTimeout(subject, headers, body, timeout);
    } catch (IllegalStateException e) {
      return CompletableFuture.failedFuture(
          new ContrailException("nothing can be sent to the NATS server: " + e.getMessage(), e));
    } catch (RuntimeException e) {
      // Larger than the server takes.
      return CompletableFuture.failedFuture(e);
    }
    return answer.handle(
        (message, failure) -> {
          if (failure != null) {
            ContrailException unanswered = unanswered(subject, failure);
            throw asCompletion(
                isNobodyListening(answer) ? new NobodyListensException(unanswered) : unanswered);
          }
          return parse(subject, message);
        });
  }

  /** The client cancels such a request, and marks those that it gives up for other reasons. */
  private static boolean isNobodyListening(CompletableFuture<Message> answer) {
    return answer.isCancelled()
        && answer instanceof NatsRequestCompletableFuture request
        && !request.wasCancelledTimedOut()
        && !request.wasCancelledClosing();
  }

  private ContrailException unanswered(String subject, Throwable failure) {
    Throwable cause = unwrapped(failure);
    String why =
        cause instanceof CancellationException
            ? "is there a stream for it, and is it allowed?"
            : String.valueOf(cause.getMessage());
    return new ContrailException(
        "no answer from the NATS server to " + subject + " within " + timeout + ": " + why, cause);
  }

  private static JsonValue parse(String subject, Message message) {
    if (message.isStatusMessage()) {
      throw new ContrailException(
          "the NATS server answers "
              + subject
              + " with "
              + message.getStatus().getMessageWithCode());
    }
    try {
      JsonValue answer = JsonParser.parse(message.getData());
      JsonValue error = JsonValueUtils.readValue(answer, "error");
      if (error != null) {
        throw new JetStreamErrorException(
            JsonValueUtils.readInteger(error, "err_code", 0),
            JsonValueUtils.readString(error, "description", "unknown error"));
      }
      return answer;
    } catch (JsonParseException e) {
      throw new ContrailException("the NATS server's answer to " + subject + " is not JSON", e);
    }
  }

  /** The answer where there is no stream that could hold anything; any other failure stays one. */
  static <T> CompletableFuture<T> withoutStream(Throwable failure, T nothing) {
    return errorCode(failure) == STREAM_NOT_FOUND
        ? CompletableFuture.completedFuture(nothing)
        : CompletableFuture.failedFuture(failure);
  }

  /** The server's error code in a failed future's exception, or 0. */
  static int errorCode(@Nullable Throwable failure) {
    return failure != null && unwrapped(failure) instanceof JetStreamErrorException error
        ? error.code()
        : 0;
  }

  /**
   * Whether a failure is one of the server, the stream or the way there, so that every message
   * would meet it. What fails otherwise, here or on what came back, is about one message.
   */
  static boolean isOfStore(Throwable failure) {
    return unwrapped(failure) instanceof JetStreamErrorException error
        ? !MESSAGE_TOO_LARGE.contains(error.code())
        : unwrapped(failure) instanceof ContrailException;
  }

  static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  static CompletionException asCompletion(Throwable failure) {
    return failure instanceof CompletionException completion
        ? completion
        : new CompletionException(failure);
  }
}
