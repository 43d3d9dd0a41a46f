package dev.contrail.event;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.HeaderText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What tells a copy that a replay published from any other message: of which dead letter it is, and
 * by which step. Anybody can write such headers, so they are a claim, which the step confirms.
 *
 * @param entry the dead letter
 * @param step the number of the step that decided on the replay
 */
public record ReplayCopy(DeadLetterId entry, int step) {
  /** The header without which a message is no copy. */
  public static final String OF = "Contrail-Replay-Of";

  private static final String ATTEMPT = "Contrail-Replay-Attempt";
  private static final String FOR = "Contrail-Replay-For";
  private static final String ROOT = "Contrail-Replay-Root";
  private static final String COUNT = "Contrail-Replay-Count";
  private static final String VERSION = "Contrail-Replay-Version";
  private static final String MESSAGE_ID = "Nats-Msg-Id";
  private static final int LONGEST_NUMBER = 9;

  /** The copy that the headers claim to be; empty where they claim nothing that can be true. */
  public static Optional<ReplayCopy> read(Headers headers) {
    Optional<DeadLetterId> entry =
        headers.first(OF).flatMap(HeaderText::decode).flatMap(DeadLetterId::read);
    String attempt = headers.first(ATTEMPT).orElse("");
    if (entry.isEmpty() || !isNumber(attempt)) {
      return Optional.empty();
    }
    ReplayCopy copy = new ReplayCopy(entry.get(), Integer.parseInt(attempt));
    // Whoever passes headers on to another message passes on these too, but hardly the id.
    return headers.first(MESSAGE_ID).filter(copy.messageId()::equals).map(same -> copy);
  }

  /** Under which the copy is published, each time it is tried. */
  public String messageId() {
    return HeaderText.encode(entry.toString()) + "#" + step;
  }

  /**
   * The header block of the copy: that of the original message, byte for byte, but for lines that
   * would steer the server or belong to an earlier replay, with the copy's own lines before them.
   * The stream is not among what the server is told to expect: those of the 2.9 line would keep the
   * copy from mirrors and from streams with another name that source it.
   */
  public byte[] headerBlock(Step.Replay replay, byte[] original) {
    List<Header> lines = new ArrayList<>();
    lines.add(new Header(MESSAGE_ID, messageId()));
    lines.add(new Header(OF, HeaderText.encode(entry.toString())));
    lines.add(new Header(ATTEMPT, Integer.toString(step)));
    replay.consumer().ifPresent(to -> lines.add(new Header(FOR, HeaderText.encode(to))));
    lines.add(new Header(ROOT, HeaderText.encode(replay.root().toString())));
    lines.add(new Header(COUNT, Integer.toString(replay.count())));
    if (replay.version() > 0) {
      lines.add(new Header(VERSION, Integer.toString(replay.version())));
    }
    return CopyBlock.of(lines, original);
  }

  /**
   * What a handler is told to know the copy by: that of the first message of the chain, so that
   * effects are not repeated, unless the payload is another.
   */
  public static String idempotencyKey(Step.Replay replay) {
    DeadLetterId root = replay.root();
    String key = root.stream() + "." + root.incarnation() + "." + root.sequence();
    return replay.version() == 0 ? key : key + ".v" + replay.version();
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST_NUMBER
        && text.charAt(0) != '0'
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
