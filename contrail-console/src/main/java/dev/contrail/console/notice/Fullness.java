package dev.contrail.console.notice;

import dev.contrail.operations.watch.StoreFill;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

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
   * @param stream its name
   * @param largest how large a message may be, in bytes
   */
  public Optional<Notice> look(String stream, StoreFill fill, long largest, Instant now) {
    double used =
        Math.max(used(fill.messages(), fill.mostMessages()), used(fill.bytes(), fill.mostBytes()));
    long mostBytes = fill.mostBytes().orElse(Long.MAX_VALUE);
    boolean fits =
        // A limit that few such messages fit under is no sign by itself.
        mostBytes < 4 * largest || fill.bytes() <= mostBytes - largest;
    if (used < ROOM && fits) {
      told = false;
    }
    if (told || (used < FULL && fits)) {
      return Optional.empty();
    }
    told = true;
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("stream", stream);
    about.put("messages", fill.messages());
    about.put("bytes", fill.bytes());
    about.put("used", Math.round(used * 1_000) / 1_000.0);
    return Optional.of(
        new Notice(
            NoticeKind.DEAD_LETTERS_FULL,
            now,
            Notice.name(stream)
                + " has hardly room for dead letters: "
                + (int) Math.floor(used * 100)
                + "% of its limit is used. Once it is full, workers hold what dies; raise its limit, or"
                + " purge what is closed with contrail dlq purge.",
            about,
            "/doctor"));
  }

  private static double used(long amount, OptionalLong limit) {
    return limit.isPresent() ? (double) amount / limit.getAsLong() : 0;
  }
}
