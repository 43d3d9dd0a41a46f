package dev.contrail.event;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Sha256;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What was decided about a dead letter. */
public sealed interface Step extends Fact {
  /** All there are; {@link LegalSteps} says which may be taken when. */
  enum Kind {
    REPLAY,
    DISCARDED,
    RESTORED,
    EDITED,
    COMPLETED,
    IMPORTED,
    PURGED;

    /** As it is stored and shown, such as {@code discarded}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Kind> parse(String text) {
      return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }
  }

  /** Which of them it is. */
  Kind stepKind();

  @Override
  default String kind() {
    return stepKind().text();
  }

  /**
   * A copy is to be published: once, under the id of {@link ReplayCopy#messageId}.
   *
   * @param plan of which it is a part
   * @param subject to which the copy goes
   * @param stream that is to take it
   * @param consumer for whom it is; empty where any consumer of the stream may take it
   * @param version of the payload; 0 for the original
   * @param root the first dead letter of the chain of replays, which may be this one
   * @param count the replays along the chain, this one included
   */
  record Replay(
      String plan,
      String subject,
      String stream,
      Optional<String> consumer,
      int version,
      DeadLetterId root,
      int count)
      implements Step {
    @Override
    public Kind stepKind() {
      return Kind.REPLAY;
    }
  }

  /** It is to stay as it is, for a reason. */
  record Discarded(String reason) implements Step {
    @Override
    public Kind stepKind() {
      return Kind.DISCARDED;
    }
  }

  /** It is open again. */
  record Restored() implements Step {
    @Override
    public Kind stepKind() {
      return Kind.RESTORED;
    }
  }

  /**
   * There is another payload that may be replayed; it is the body of the event. The original stays.
   *
   * @param version from 1
   * @param payloadSha256 in lower-case hex
   */
  record Edited(int version, long payloadBytes, String payloadSha256) implements Step {
    /** The edit that brings this payload. */
    public static Edited of(int version, byte[] payload) {
      return new Edited(version, payload.length, Sha256.hex(payload));
    }

    /**
     * Whether these bytes are its payload. The event outlives that: a purge takes it away, and an
     * export with redaction leaves it out.
     */
    public boolean brings(byte[] payload) {
      return payload.length == payloadBytes && Sha256.hex(payload).equals(payloadSha256);
    }

    @Override
    public Kind stepKind() {
      return Kind.EDITED;
    }
  }

  /** The ledger shows that the message was processed after all. */
  record Completed() implements Step {
    @Override
    public Kind stepKind() {
      return Kind.COMPLETED;
    }
  }

  /** It came from elsewhere. */
  record Imported(String from) implements Step {
    @Override
    public Kind stepKind() {
      return Kind.IMPORTED;
    }
  }

  /**
   * The dead letter was deleted. What tells its message from another one of the same sequence
   * stays, so that it is not written again.
   */
  record Purged(Instant publishedAt, String payloadSha256) implements Step {
    @Override
    public Kind stepKind() {
      return Kind.PURGED;
    }
  }
}
