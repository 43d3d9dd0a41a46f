package dev.contrail.jetstream;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.event.EventAddress;
import dev.contrail.event.EventFormat;
import dev.contrail.event.Step;
import dev.contrail.event.UnreadableEventException;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.Limits;
import dev.contrail.evidence.OriginalMessage;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Dead letters and their events as they lie in their streams, for those who carry them elsewhere.
 * Thread-safe; futures fail with a {@link ContrailException} when a stream cannot be used.
 */
public final class DeadLetterArchive {
  private static final String EXPECTED_LAST_SUBJECT_SEQUENCE =
      "Nats-Expected-Last-Subject-Sequence";

  private final JetStreamApi api;
  private final Names names;
  private final DeadLetterStore store;

  public DeadLetterArchive(Connection connection, JetStreamOptions jetStream, Names names) {
    this.api = new JetStreamApi(connection, jetStream);
    this.names = names;
    this.store =
        new DeadLetterStore(api, names, () -> Limits.ofMessages(connection.getMaxPayload()));
  }

  /** What came of storing a dead letter. */
  public enum Stored {
    /** It is stored. */
    NOW,
    /** It was there. */
    BEFORE,
    /** There is one of another message under its id, and nothing was stored. */
    ANOTHER_IS_THERE
  }

  /**
   * A dead letter that is stored.
   *
   * @param now whether it was not there before
   */
  public record Written(DeadLetterId id, boolean now) {}

  /** An event as it is stored. */
  @SuppressWarnings("ArrayRecordComponent") // made to be carried, not to be compared
  public record StoredEvent(EventAddress address, Headers headers, byte[] body) {
    /**
     * Whether the body is what the event tells of: the body of an edit, and else nothing.
     *
     * @throws UnreadableEventException when the event cannot be read
     */
    public boolean isWhole() {
      return EventFormat.decode(address, headers).fact() instanceof Step.Edited edited
          ? edited.brings(body)
          : body.length == 0;
    }

    /** Whether it is the same event, which may have lost its payload. */
    public boolean isSameAs(StoredEvent other) {
      return address.equals(other.address) && own(headers).equals(own(other.headers));
    }
  }

  /**
   * What is stored under the id of a dead letter; empty where nothing is, nor a stream for it yet.
   */
  public CompletableFuture<Optional<Stored>> find(DeadLetter letter) {
    return orNone(store.lookUp(letter));
  }

  /**
   * What the dead letter of an id tells of itself; empty where there is none, nor a stream for it
   * yet.
   */
  public CompletableFuture<Optional<DeadLetterSummary>> summary(DeadLetterId id) {
    return orNone(store.summary(id));
  }

  private static <T> CompletableFuture<Optional<T>> orNone(CompletableFuture<Optional<T>> found) {
    return found.exceptionallyCompose(
        failure -> JetStreamApi.withoutStream(failure, Optional.empty()));
  }

  /** Stores a dead letter whole under its id, once. */
  public CompletableFuture<Stored> store(DeadLetter letter) {
    return store.storeOnce(letter);
  }

  /**
   * Stores the dead letter of a message whole, once. Under its id, or under that of a later epoch
   * where one of another message is there.
   */
  public CompletableFuture<Written> bury(DeadLetter letter) {
    return store.writeAsIs(letter);
  }

  /**
   * Stores the dead letter of a message that nobody can read any more, under its id.
   *
   * @return false when any is there, and nothing was stored: nothing tells whether it is of another
   *     message
   */
  public CompletableFuture<Boolean> buryUnseen(DeadLetter letter) {
    return store.create(letter);
  }

  /** All dead letters of a stream's messages, by sequence; none where nothing has died yet. */
  public CompletableFuture<List<DeadLetterId>> idsOf(String stream) {
    return api.subjects(names.deadLetterStream(), names.deadLetterSubjects(stream, "*"))
        .exceptionallyCompose(failure -> JetStreamApi.withoutStream(failure, Set.of()))
        .thenApply(
            subjects ->
                subjects.stream()
                    .flatMap(subject -> DeadLetterId.ofSubject(names.prefix(), subject).stream())
                    .sorted(Comparator.comparingLong(DeadLetterId::sequence))
                    .toList());
  }

  /** The whole of a dead letter; empty where there is none of that id. */
  public CompletableFuture<Optional<DeadLetter>> read(DeadLetterId id) {
    return api.last(names.deadLetterStream(), id.subject(names.prefix()))
        .thenApply(head -> head.map(stored -> whole(id, stored)));
  }

  private DeadLetter whole(DeadLetterId id, StoredMessage head) {
    return EvidenceDecoder.decode(
        id,
        head.headers(),
        head.data(),
        (number, sha256) ->
            api.last(names.deadLetterStream(), id.partSubject(names.prefix(), number, sha256))
                .join()
                .map(StoredMessage::data));
  }

  /** The events of a dead letter, in the order in which they were stored. */
  public CompletableFuture<List<StoredEvent>> events(DeadLetterId entry) {
    return api.subjects(names.eventStream(), EventAddress.subjectsOf(names.prefix(), entry))
        .exceptionallyCompose(failure -> JetStreamApi.withoutStream(failure, Set.of()))
        .thenCompose(
            subjects -> {
              List<CompletableFuture<Optional<StoredMessage>>> reads =
                  subjects.stream().map(subject -> api.last(names.eventStream(), subject)).toList();
              return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                  .thenApply(
                      done ->
                          reads.stream()
                              .flatMap(read -> read.join().stream())
                              .sorted(Comparator.comparingLong(StoredMessage::sequence))
                              .flatMap(message -> event(message).stream())
                              .toList());
            });
  }

  private Optional<StoredEvent> event(StoredMessage message) {
    return EventAddress.ofSubject(names.prefix(), message.subject())
        .map(address -> new StoredEvent(address, own(message.headers()), message.data()));
  }

  /**
   * Stores an event where it belongs, once.
   *
   * @return false when another is there, and nothing was stored
   */
  public CompletableFuture<Boolean> store(StoredEvent event) {
    String subject = event.address().subject(names.prefix());
    return api.create(names.eventStream(), subject, event.headers(), event.body())
        .thenApply(stored -> true)
        .exceptionallyCompose(
            failure ->
                JetStreamApi.errorCode(failure) == JetStreamApi.WRONG_LAST_SEQUENCE
                    ? api.last(names.eventStream(), subject)
                        .thenApply(there -> there.filter(it -> isSame(event, it)).isPresent())
                    : CompletableFuture.failedFuture(failure));
  }

  private boolean isSame(StoredEvent event, StoredMessage there) {
    return event(there).filter(event::isSameAs).isPresent();
  }

  /**
   * Gives an event that is stored, and has lost its payload, that payload again.
   *
   * @return false when another is there, or none, and nothing was stored
   */
  public CompletableFuture<Boolean> restore(StoredEvent event) {
    String subject = event.address().subject(names.prefix());
    return api.last(names.eventStream(), subject)
        .thenCompose(
            there -> {
              if (there.filter(it -> isSame(event, it)).isEmpty()) {
                return CompletableFuture.completedFuture(false);
              }
              io.nats.client.impl.Headers headers = RawHeaders.toClient(event.headers());
              // The newest of a subject counts. A purge at the same moment is not written over.
              headers.put(EXPECTED_LAST_SUBJECT_SEQUENCE, Long.toString(there.get().sequence()));
              return api.publish(names.eventStream(), subject, headers, event.body())
                  .thenApply(stored -> true)
                  .exceptionallyCompose(
                      failure ->
                          JetStreamApi.errorCode(failure) == JetStreamApi.WRONG_LAST_SEQUENCE
                              ? CompletableFuture.completedFuture(false)
                              : CompletableFuture.failedFuture(failure));
            });
  }

  /** Without what was said to the server that stored it; in an order of its own. */
  private static Headers own(Headers headers) {
    return Headers.of(
        headers.lines().stream()
            .filter(line -> !line.name().toLowerCase(Locale.ROOT).startsWith("nats-"))
            .sorted(Comparator.comparing(Header::name))
            .toList());
  }

  /**
   * A message of any stream, with its header block byte for byte; empty when it is gone, or the
   * stream is.
   */
  public CompletableFuture<Optional<OriginalMessage>> message(String stream, long sequence) {
    return orNone(api.message(stream, sequence))
        .thenApply(
            found ->
                found.map(
                    it ->
                        new OriginalMessage(it.subject(), it.time(), it.headerBlock(), it.data())));
  }
}
