package dev.contrail.event;

import static java.nio.charset.StandardCharsets.UTF_8;

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
   * @param told whether workers of Contrail were to tell the outcome; empty where an older release
   *     wrote it
   */
  record Replay(
      String plan,
      String subject,
      String stream,
      Optional<String> consumer,
      int version,
      DeadLetterId root,
      int count,
      Optional<Boolean> told)
      implements Step {
    /** One that does not say who tells. */
    public Replay(
        String plan,
        String subject,
        String stream,
        Optional<String> consumer,
        int version,
        DeadLetterId root,
        int count) {
      this(plan, subject, stream, consumer, version, root, count, Optional.empty());
    }

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
   * There is another payload that may be replayed; it is in the body of the event, and after it
   * there may be what differs from the version before. The original stays.
   *
   * @param version from 1
   * @param payloadSha256 in lower-case hex
   * @param differenceBytes of the difference; 0 where none is stored
   */
  record Edited(int version, long payloadBytes, String payloadSha256, int differenceBytes)
      implements Step {
    /** One without a difference. */
    public Edited(int version, long payloadBytes, String payloadSha256) {
      this(version, payloadBytes, payloadSha256, 0);
    }

    /** The edit that brings this payload, and says what differs. */
    public static Edited of(int version, byte[] payload, String difference) {
      return new Edited(
          version, payload.length, Sha256.hex(payload), difference.getBytes(UTF_8).length);
    }

    /** The body of the event. */
    public static byte[] body(byte[] payload, String difference) {
      byte[] after = difference.getBytes(UTF_8);
      byte[] body = Arrays.copyOf(payload, payload.length + after.length);
      System.arraycopy(after, 0, body, payload.length, after.length);
      return body;
    }

    /**
     * Whether this body is its own. The event outlives that: a purge takes it away, and an export
     * with redaction leaves it out.
     */
    public boolean brings(byte[] body) {
      return payloadIn(body).isPresent();
    }

    /** The payload in its body; empty where that is not its own. */
    public Optional<byte[]> payloadIn(byte[] body) {
      if (body.length != payloadBytes + differenceBytes) {
        return Optional.empty();
      }
      byte[] payload = Arrays.copyOf(body, (int) payloadBytes);
      return Optional.of(payload).filter(it -> Sha256.hex(it).equals(payloadSha256));
    }

    /** The difference in its body; empty where there is none, or the body is not its own. */
    public Optional<String> differenceIn(byte[] body) {
      return payloadIn(body)
          .filter(payload -> differenceBytes > 0)
          .map(payload -> new String(body, payload.length, differenceBytes, UTF_8));
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
