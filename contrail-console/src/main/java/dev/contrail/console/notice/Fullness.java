package dev.contrail.console.notice;

import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds that the dead-letter stream has no room. It refuses what does not fit, and then workers
 * hold what dies. So it is told while the largest message that the server takes might not fit, or
 * when 95% are used; once, until there is room again. For one thread.
 */
public final class Fullness {
  private static final double FULL = 0.95;
  private static final double ROOM = 0.90;

  private boolean told;

  /**
   * What is to be told after this look.
   *
   * @param largest how large a message may be, in bytes
   */
  public Optional<Notice> look(StreamInfo stream, long largest, Instant now) {
    StreamConfiguration how = stream.getConfiguration();
    long messages = stream.getStreamState().getMsgCount();
    long bytes = stream.getStreamState().getByteCount();
    double used = Math.max(used(messages, how.getMaxMsgs()), used(bytes, how.getMaxBytes()));
    boolean fits =
        how.getMaxBytes() <= 0
            // A limit that few such messages fit under is no sign by itself.
            || how.getMaxBytes() < 4 * largest
            || bytes + largest <= how.getMaxBytes();
    if (used < ROOM && fits) {
      told = false;
    }
    if (told || (used < FULL && fits)) {
      return Optional.empty();
    }
    told = true;
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("stream", how.getName());
    about.put("messages", messages);
    about.put("bytes", bytes);
    about.put("used", Math.round(used * 1_000) / 1_000.0);
    return Optional.of(
        new Notice(
            NoticeKind.DEAD_LETTERS_FULL,
            now,
            Notice.name(how.getName())
                + " has hardly room for dead letters: "
                + (int) Math.floor(used * 100)
                + "% of its limit is used. Once it is full, workers hold what dies; raise its limit, or"
                + " purge what is closed with contrail dlq purge.",
            about,
            "/doctor"));
  }

  private static double used(long amount, long limit) {
    return limit <= 0 ? 0 : (double) amount / limit;
  }
}
