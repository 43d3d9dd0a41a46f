package dev.contrail.jetstream;

import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.EncodedDeadLetter;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.EvidenceEncoder;
import dev.contrail.evidence.Limits;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.redaction.Redaction;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dead letters in their stream: looked up, and written once however often a crash repeats the step.
 *
 * <p>The parts of a large one are written before the head, and only the head makes a dead letter:
 * killed anywhere before it, nothing is there but parts that the next try finds and uses. A part's
 * subject holds its hash, so that others who cut the same message differently, before or at the
 * same time, leave it alone; theirs stay behind unused, for workers may not delete.
 *
 * <p>What fails here is of the whole store by {@link JetStreamApi#isOfStore}, or of one message.
 */
final class DeadLetterStore {
  private static final Logger log = LoggerFactory.getLogger(DeadLetterStore.class);

  private final JetStreamApi api;
  private final Names names;
  private final Supplier<Limits> limits;
  private final Redaction redaction;
  private final SourceHeaders headers;

  DeadLetterStore(JetStreamApi api, Names names, Supplier<Limits> limits) {
    this(api, names, limits, Redaction.NONE);
  }

  /**
   * The same.
   *
   * @param redaction what is never stored of messages that are written
   */
  DeadLetterStore(JetStreamApi api, Names names, Supplier<Limits> limits, Redaction redaction) {
    this.api = api;
    this.names = names;
    this.limits = limits;
    this.redaction = redaction;
    this.headers = new SourceHeaders(api);
  }

  /** Whether the very message has a dead letter, and under which id. */
  CompletableFuture<Optional<DeadLetterId>> find(DeadLetterId id, OriginalMessage message) {
    return head(id)
        .thenCompose(
            stored -> {
              if (stored.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
              }
              return isOf(id, stored.get(), message)
                  ? CompletableFuture.completedFuture(Optional.of(id))
                  : find(id.nextEpoch(), message);
            });
  }

  /** What the dead letter of that id tells of itself, if there is one. */
  CompletableFuture<Optional<DeadLetterSummary>> summary(DeadLetterId id) {
    return head(id)
        .thenApply(found -> found.map(head -> EvidenceDecoder.summary(id, head.headers())));
  }

  /** Done when the dead letter is confirmed stored, whole; its id is the result. */
  CompletableFuture<DeadLetterId> write(DeadLetter letter) {
    // Large ones take their time to encode, and whoever asks has leases to keep.
    return headers
        .complete(letter)
        // Not before: completing it brings the headers back as they were sent.
        .thenComposeAsync(
            whole -> store(redaction.apply(whole), whole.message()),
            api.surroundings().background())
        .thenApply(DeadLetterArchive.Written::id);
  }

  /** The same of one that is as its stream has it, and as it is to be stored. */
  CompletableFuture<DeadLetterArchive.Written> writeAsIs(DeadLetter letter) {
    return CompletableFuture.completedFuture(letter)
        .thenComposeAsync(it -> store(it, it.message()), api.surroundings().background());
  }

  /** What is stored under its id. */
  CompletableFuture<Optional<DeadLetterArchive.Stored>> lookUp(DeadLetter letter) {
    return head(letter.id())
        .thenApply(
            found ->
                found.map(
                    head ->
                        isOf(letter.id(), head, letter.message())
                            ? DeadLetterArchive.Stored.BEFORE
                            : DeadLetterArchive.Stored.ANOTHER_IS_THERE));
  }

  /** Stores it as it is, unless there is one under its id. */
  CompletableFuture<DeadLetterArchive.Stored> storeOnce(DeadLetter letter) {
    return lookUp(letter)
        .thenCompose(
            found ->
                found.isPresent()
                    ? CompletableFuture.completedFuture(found.get())
                    : store(letter, letter.message())
                        .thenApply(stored -> DeadLetterArchive.Stored.NOW));
  }

  /** Stores one that has no parts under its id; false where any is there, be it of another. */
  CompletableFuture<Boolean> create(DeadLetter letter) {
    return CompletableFuture.completedFuture(letter)
        .thenComposeAsync(this::createNow, api.surroundings().background());
  }

  private CompletableFuture<Boolean> createNow(DeadLetter letter) {
    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, limits());
    return orElse(
        createHead(encoded).thenApply(done -> stored(encoded.id()).now()),
        JetStreamApi.WRONG_LAST_SEQUENCE,
        () -> CompletableFuture.completedFuture(false));
  }

  /**
   * Stores it.
   *
   * @param message that died, whole: one that another worker stored unredacted is of it too
   */
  private CompletableFuture<DeadLetterArchive.Written> store(
      DeadLetter letter, OriginalMessage message) {
    EncodedDeadLetter encoded = EvidenceEncoder.encode(letter, limits());
    if (encoded.parts().isEmpty()) {
      return writeHead(letter, message, encoded);
    }
    // Looked up first: beside a head that is there, parts would be of no use.
    return head(encoded.id())
        .thenCompose(
            stored ->
                stored.isPresent()
                    ? acceptOrReuse(letter, message, stored.get())
                    : writeParts(encoded).thenCompose(done -> writeHead(letter, message, encoded)));
  }

  private CompletableFuture<Void> writeParts(EncodedDeadLetter encoded) {
    CompletableFuture<Void> parts = CompletableFuture.completedFuture(null);
    for (EncodedDeadLetter.Part part : encoded.parts()) {
      parts = parts.thenCompose(before -> writePart(encoded.id(), part));
    }
    return parts;
  }

  private CompletableFuture<Void> writePart(DeadLetterId id, EncodedDeadLetter.Part part) {
    String subject = id.partSubject(names.prefix(), part.number(), part.sha256());
    return orElse(
        api.create(names.deadLetterStream(), subject, Headers.none(), part.data()),
        JetStreamApi.WRONG_LAST_SEQUENCE,
        () ->
            api.last(names.deadLetterStream(), subject)
                .thenAccept(stored -> requireSame(id, part, subject, stored)));
  }

  /** The part was there already. Looked at all the same: the head vouches for it. */
  private void requireSame(
      DeadLetterId id,
      EncodedDeadLetter.Part part,
      String subject,
      Optional<StoredMessage> stored) {
    String name = "part " + part.number() + " of the dead letter " + id;
    byte[] found =
        stored.orElseThrow(() -> new IllegalStateException(name + " was there and is gone")).data();
    if (!Arrays.equals(found, part.data())) {
      throw new IllegalStateException(
          "the last message on %s in %s has %d bytes and is not %s: delete it"
              .formatted(subject, names.deadLetterStream(), found.length, name));
    }
  }

  private CompletableFuture<DeadLetterArchive.Written> writeHead(
      DeadLetter letter, OriginalMessage message, EncodedDeadLetter encoded) {
    return orElse(
        createHead(encoded).thenApply(done -> stored(encoded.id())),
        JetStreamApi.WRONG_LAST_SEQUENCE,
        () -> refused(letter, message));
  }

  private CompletableFuture<Void> createHead(EncodedDeadLetter encoded) {
    return api.create(
        names.deadLetterStream(),
        encoded.id().subject(names.prefix()),
        encoded.head().headers(),
        encoded.head().body());
  }

  private CompletableFuture<DeadLetterArchive.Written> refused(
      DeadLetter letter, OriginalMessage message) {
    return head(letter.id())
        .thenCompose(
            stored ->
                stored.isPresent()
                    ? acceptOrReuse(letter, message, stored.get())
                    : CompletableFuture.failedFuture(
                        new IllegalStateException(
                            "the dead letter " + letter.id() + " was there and is gone")));
  }

  /** There is one already: of this message, then all is well, or of an earlier one. */
  private CompletableFuture<DeadLetterArchive.Written> acceptOrReuse(
      DeadLetter letter, OriginalMessage message, StoredMessage stored) {
    DeadLetterId id = letter.id();
    if (isOf(id, stored, message)) {
      return CompletableFuture.completedFuture(new DeadLetterArchive.Written(id, false));
    }
    DeadLetter next =
        new DeadLetter(id.nextEpoch(), letter.message(), letter.death(), letter.redacted());
    return store(next, message);
  }

  private static DeadLetterArchive.Written stored(DeadLetterId id) {
    if (id.isOfLaterEpoch()) {
      log.error(
          "Stream {} hands out sequences again that it had used before (restored from a backup, or"
              + " kept in memory): message {} is another than the one with that sequence that died"
              + " earlier. Its dead letter is {}.",
          id.stream(),
          id.sequence(),
          id);
    }
    return new DeadLetterArchive.Written(id, true);
  }

  private CompletableFuture<Optional<StoredMessage>> head(DeadLetterId id) {
    return api.last(names.deadLetterStream(), id.subject(names.prefix()));
  }

  private static boolean isOf(DeadLetterId id, StoredMessage stored, OriginalMessage message) {
    return EvidenceDecoder.summary(id, stored.headers()).isOf(message);
  }

  /** Too tight for this message, they are for every other. */
  private Limits limits() {
    try {
      return limits.get();
    } catch (IllegalArgumentException e) {
      throw new ContrailException(String.valueOf(e.getMessage()), e);
    }
  }

  private static <T> CompletableFuture<T> orElse(
      CompletableFuture<T> first, int errorCode, Supplier<CompletableFuture<T>> otherwise) {
    return first.exceptionallyCompose(
        failure ->
            JetStreamApi.errorCode(failure) == errorCode
                ? otherwise.get()
                : CompletableFuture.failedFuture(failure));
  }
}
