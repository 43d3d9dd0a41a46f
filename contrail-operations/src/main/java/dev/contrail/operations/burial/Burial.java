package dev.contrail.operations.burial;

import dev.contrail.Headers;
import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.Incarnation;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.server.FreshAnswers;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Writes the dead letters of messages that nobody of Contrail's own worked on: read from their
 * stream, byte for byte, and stored once however often that is repeated and by whomever. Nothing is
 * taken from the stream. The streams for dead letters and events must be there.
 *
 * <p>Many may be under way at once. Thread-safe; futures fail with a {@link ContrailException} when
 * the server does not answer, or the dead-letter stream is full.
 */
public final class Burial {
  /** Each is in memory several times while its dead letter is written. */
  private static final long BYTES_AT_ONCE = 8L << 20;

  private final DeadLetterArchive archive;
  private final EventStore events;
  private final FreshAnswers<String, Optional<String>> incarnations;
  private final Map<String, String> known = new ConcurrentHashMap<>();
  private final Death.Witness witness;
  private final boolean writes;
  private final Room room;

  /**
   * For the server behind {@code connection}.
   *
   * @param by who finds the messages dead, such as {@code guard@host}
   * @param executor for questions that block
   */
  public Burial(
      Connection connection, JetStreamOptions options, Names names, String by, Executor executor) {
    this(connection, options, names, by, executor, true);
  }

  private Burial(
      Connection connection,
      JetStreamOptions options,
      Names names,
      String by,
      Executor executor,
      boolean writes) {
    this.archive = new DeadLetterArchive(connection, options, names);
    this.events = new EventStore(connection, options, names);
    this.witness = new Death.Witness(by, Optional.empty());
    this.writes = writes;
    this.room = new Room(BYTES_AT_ONCE, connection.getMaxPayload());
    JetStreamServer server = new JetStreamServer(connection, options);
    this.incarnations =
        new FreshAnswers<>(
            stream ->
                server.stream(stream).map(info -> Incarnation.of(info.getCreateTime().toInstant())),
            executor);
  }

  /** One that writes nothing, and answers as if it did. */
  public static Burial rehearsal(
      Connection connection, JetStreamOptions options, Names names, Executor executor) {
    return new Burial(connection, options, names, "", executor, false);
  }

  /** What came of it. */
  public sealed interface Result {
    /**
     * The very message has a dead letter.
     *
     * @param now whether it was not there before
     */
    record Buried(DeadLetterId id, Original message, boolean now) implements Result {}

    /** The very message had a dead letter, which somebody has purged; it is not written again. */
    record Purged(DeadLetterId id, Original message) implements Result {}

    /**
     * There is no message of that sequence.
     *
     * @param id that its dead letter would have
     */
    record Gone(DeadLetterId id) implements Result {}

    /** The message that has the sequence is another. */
    record Another(Original message) implements Result {}

    /** There is no stream of that name. */
    record NoStream() implements Result {}
  }

  /** Writes the dead letter, if there is none. */
  public CompletableFuture<Result> bury(Corpse corpse) {
    return knownIncarnation(corpse.stream())
        .thenCompose(
            found ->
                found.isEmpty()
                    ? CompletableFuture.completedFuture(new Result.NoStream())
                    : bury(corpse, found.get()));
  }

  private CompletableFuture<Result> bury(Corpse corpse, String incarnation) {
    DeadLetterId id =
        new DeadLetterId(corpse.stream(), corpse.consumer(), incarnation, corpse.sequence());
    return room.use(
            () -> archive.message(corpse.stream(), corpse.sequence()),
            Burial::bytes,
            message ->
                // Asked again afterwards: the same before and after, it was so in between.
                incarnations
                    .ask(corpse.stream())
                    .thenCompose(
                        now ->
                            now.equals(Optional.of(incarnation))
                                ? found(corpse, id, message).thenApply(Optional::of)
                                : CompletableFuture.completedFuture(Optional.<Result>empty())))
        .thenCompose(
            result -> {
              if (result.isPresent()) {
                return CompletableFuture.completedFuture(result.get());
              }
              known.remove(corpse.stream(), incarnation);
              return bury(corpse);
            });
  }

  private static long bytes(Optional<OriginalMessage> message) {
    return message.map(it -> (long) it.payload().length + it.headerBlock().length).orElse(0L);
  }

  private CompletableFuture<Result> found(
      Corpse corpse, DeadLetterId id, Optional<OriginalMessage> message) {
    if (message.isEmpty()) {
      return CompletableFuture.completedFuture(new Result.Gone(id));
    }
    if (corpse.publishedBefore().filter(message.get().publishedAt()::isAfter).isPresent()) {
      return CompletableFuture.completedFuture(new Result.Another(Original.of(message.get())));
    }
    return unlessPurged(corpse, id, message.get());
  }

  private CompletableFuture<Result> unlessPurged(
      Corpse corpse, DeadLetterId id, OriginalMessage message) {
    return tombstone(id)
        .thenCompose(
            purged -> {
              if (purged.isEmpty()) {
                return write(new DeadLetter(id, message, death(corpse)))
                    .thenApply(
                        written ->
                            new Result.Buried(written.id(), Original.of(message), written.now()));
              }
              return purged.get().publishedAt().equals(message.publishedAt())
                  ? CompletableFuture.completedFuture(new Result.Purged(id, Original.of(message)))
                  : unlessPurged(corpse, id.nextEpoch(), message);
            });
  }

  /**
   * Whether there is a dead letter of that id, or was one that somebody purged; of whichever
   * message.
   */
  public CompletableFuture<Boolean> isBuried(DeadLetterId id) {
    return publishedAt(id).thenApply(Optional::isPresent);
  }

  /**
   * The first of some names under which there is a dead letter of that message, or was one that
   * somebody purged.
   *
   * @param names of consumers, or {@link DeadLetterId#ORPHAN}
   */
  public CompletableFuture<Optional<String>> filedUnder(
      List<String> names, String stream, long sequence, Instant publishedAt) {
    return knownIncarnation(stream)
        .thenCompose(
            made -> {
              CompletableFuture<Optional<String>> found =
                  CompletableFuture.completedFuture(Optional.empty());
              for (String name : made.isEmpty() ? List.<String>of() : names) {
                DeadLetterId id = new DeadLetterId(stream, name, made.get(), sequence);
                found =
                    found.thenCompose(
                        before ->
                            before.isPresent()
                                ? CompletableFuture.completedFuture(before)
                                : isFiled(id, publishedAt)
                                    .thenApply(it -> it ? Optional.of(name) : Optional.empty()));
              }
              return found;
            });
  }

  /** In whichever life of the sequence. */
  private CompletableFuture<Boolean> isFiled(DeadLetterId id, Instant publishedAt) {
    return publishedAt(id)
        .thenCompose(
            there ->
                there.isEmpty() || there.get().equals(publishedAt)
                    ? CompletableFuture.completedFuture(there.isPresent())
                    : isFiled(id.nextEpoch(), publishedAt));
  }

  /** When the message was published of which there is a dead letter of that id, or was one. */
  private CompletableFuture<Optional<Instant>> publishedAt(DeadLetterId id) {
    return archive
        .summary(id)
        .thenCompose(
            found ->
                found.isPresent()
                    ? CompletableFuture.completedFuture(found.map(DeadLetterSummary::publishedAt))
                    : tombstone(id).thenApply(it -> it.map(Step.Purged::publishedAt)));
  }

  /**
   * Writes down that a message died which was gone before anybody could copy it, unless there is a
   * dead letter of it, or was one that somebody purged. Nothing is known of it but what the corpse
   * tells: such a dead letter is replayed only with a payload supplied.
   *
   * @param id as {@link Result.Gone} told
   * @param subject of the message, empty where it is not known
   * @param notBefore it was published then or later, where that is known: the dead letter of an
   *     older message is that of another with its sequence
   * @return its id, where it was not there before
   */
  public CompletableFuture<Optional<DeadLetterId>> buryGone(
      DeadLetterId id, Corpse corpse, String subject, Optional<Instant> notBefore) {
    return publishedAt(id)
        .thenCompose(
            there ->
                there.isPresent()
                    ? CompletableFuture.completedFuture(there)
                    // Two at once may tell of two ends of one message, at different times: so what
                    // is there by now is not taken for another's because of its time.
                    : writeUnseen(id, corpse, subject)
                        .thenCompose(
                            now -> now ? none() : publishedAt(id).thenApply(Burial::found)))
        .thenCompose(
            there -> {
              if (there.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.of(id));
              }
              return notBefore.filter(there.get()::isBefore).isPresent()
                  ? buryGone(id.nextEpoch(), corpse, subject, notBefore)
                  : CompletableFuture.completedFuture(Optional.empty());
            });
  }

  /** False where one is there. */
  private CompletableFuture<Boolean> writeUnseen(DeadLetterId id, Corpse corpse, String subject) {
    OriginalMessage message = unseen(subject, corpse.diedAt());
    return writes
        ? archive.buryUnseen(new DeadLetter(id, message, death(corpse), true))
        : CompletableFuture.completedFuture(true);
  }

  private static CompletableFuture<Optional<Instant>> none() {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  private static Optional<Instant> found(Optional<Instant> there) {
    if (there.isEmpty()) {
      throw new IllegalStateException("a dead letter was there and is gone");
    }
    return there;
  }

  private CompletableFuture<DeadLetterArchive.Written> write(DeadLetter letter) {
    return writes
        ? archive.bury(letter)
        : archive
            .find(letter)
            .thenApply(there -> new DeadLetterArchive.Written(letter.id(), there.isEmpty()));
  }

  private static OriginalMessage unseen(String subject, Instant before) {
    return OriginalMessage.of(subject, before, Headers.none(), new byte[0]);
  }

  /** What is left of a purged dead letter. */
  private CompletableFuture<Optional<Step.Purged>> tombstone(DeadLetterId id) {
    return events
        .state(id)
        .thenCompose(
            state ->
                state.status() == Status.PURGED
                    ? purged(id, state)
                    : CompletableFuture.completedFuture(Optional.empty()));
  }

  private CompletableFuture<Optional<Step.Purged>> purged(DeadLetterId id, EntryState state) {
    return events
        .find(EventAddress.step(id, state.lastStep()))
        .thenApply(
            event ->
                event
                    .map(Event::fact)
                    .filter(Step.Purged.class::isInstance)
                    .map(Step.Purged.class::cast));
  }

  private Death death(Corpse corpse) {
    return new Death(
        corpse.reason(),
        corpse.diedAt(),
        corpse.deliveries(),
        Failure.described(corpse.kind(), corpse.why()),
        witness);
  }

  private CompletableFuture<Optional<String>> knownIncarnation(String stream) {
    String before = known.get(stream);
    if (before != null) {
      return CompletableFuture.completedFuture(Optional.of(before));
    }
    return incarnations
        .ask(stream)
        .thenApply(
            found -> {
              found.ifPresent(incarnation -> known.put(stream, incarnation));
              return found;
            });
  }
}
