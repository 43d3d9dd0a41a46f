package dev.contrail.jetstream;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.OriginalMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The header bytes of a dying message as its stream holds them. The client keeps names and values,
 * but neither the order of the lines nor the blanks in them.
 */
final class SourceHeaders {
  private static final Logger log = LoggerFactory.getLogger(SourceHeaders.class);
  private static final long QUIET = Duration.ofMinutes(1).toNanos();

  private final JetStreamApi api;
  private volatile Optional<Long> refusedNanos = Optional.empty();

  SourceHeaders(JetStreamApi api) {
    this.api = api;
  }

  /** The dead letter with the header bytes of the stream; as it is where they cannot be had. */
  CompletableFuture<DeadLetter> complete(DeadLetter letter) {
    if (!isRebuilt(letter.message()) || wasRefusedLately()) {
      return CompletableFuture.completedFuture(letter);
    }
    return api.message(letter.id().stream(), letter.id().sequence())
        .thenApply(stored -> stored.map(source -> complete(letter, source)).orElse(letter))
        .exceptionally(failure -> incomplete(letter, failure));
  }

  /** Whether the header block was put together from names and values. */
  private static boolean isRebuilt(OriginalMessage message) {
    byte[] block = message.headerBlock();
    return block.length > 0 && Arrays.equals(message.headers().block(), block);
  }

  private static DeadLetter complete(DeadLetter letter, StoredMessage source) {
    OriginalMessage known = letter.message();
    boolean same =
        source.time().equals(known.publishedAt()) && Arrays.equals(source.data(), known.payload());
    if (!same) {
      return letter;
    }
    OriginalMessage whole =
        new OriginalMessage(
            known.subject(), known.publishedAt(), source.headerBlock(), known.payload());
    return new DeadLetter(letter.id(), whole, letter.death());
  }

  /** Not worth holding the message for; nor worth waiting for each time. */
  private DeadLetter incomplete(DeadLetter letter, Throwable failure) {
    refusedNanos = Optional.of(api.surroundings().nanoTime());
    log.warn(
        "The header bytes of {} cannot be read from its stream ({}): its dead letter has the"
            + " names and values, perhaps in another order.",
        letter.id(),
        JetStreamApi.unwrapped(failure).getMessage());
    return letter;
  }

  private boolean wasRefusedLately() {
    return refusedNanos.isPresent() && api.surroundings().nanoTime() - refusedNanos.get() < QUIET;
  }
}
