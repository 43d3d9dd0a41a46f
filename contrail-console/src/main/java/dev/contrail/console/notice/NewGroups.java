package dev.contrail.console.notice;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.operations.index.IndexEntry;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Finds groups that are new. Nobody remembers across processes what was told. So of what is there
 * at the first look, only what died in the last ten minutes is news: that is what may have died
 * while no process was there to tell. For one thread.
 */
public final class NewGroups {
  static final Duration NEWS_AT_THE_START = Duration.ofMinutes(10);
  // What is imported died long ago; what a worker could not store at once died not that long ago.
  static final Duration NEWS = Duration.ofHours(24);

  private final IntFunction<List<IndexEntry>> begun;
  private int seen;
  private boolean first = true;

  /**
   * Before the first look.
   *
   * @param begun the first dead letter of each group, without so many of them
   */
  public NewGroups(IntFunction<List<IndexEntry>> begun) {
    this.begun = begun;
  }

  /** What is new since the last look. To be asked once all dead letters are read. */
  public List<Notice> look(Instant now) {
    List<IndexEntry> since = begun.apply(seen);
    seen += since.size();
    Instant from = now.minus(first ? NEWS_AT_THE_START : NEWS);
    first = false;
    return since.stream()
        .map(IndexEntry::summary)
        .filter(it -> it.deadAt().isAfter(from))
        .map(it -> notice(it, now))
        .toList();
  }

  private static Notice notice(DeadLetterSummary dead, Instant now) {
    DeadLetterId id = dead.id();
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("stream", id.stream());
    about.put("consumer", id.consumer());
    about.put("reason", dead.reason().text());
    boolean named =
        !dead.exceptionClass().isEmpty() && !dead.exceptionClass().equals(dead.reason().text());
    if (named) {
      about.put("exception", Notice.name(dead.exceptionClass()));
    }
    if (!dead.fingerprint().isEmpty()) {
      about.put("group", Notice.name(dead.fingerprint()));
    }
    about.put("deadLetter", id.toString());
    String text =
        "A message of "
            + Notice.name(id.stream())
            + " died for "
            + Notice.name(id.consumer())
            + " of something new: "
            + (named ? Notice.name(dead.exceptionClass()) + " (" : "")
            + dead.reason().text()
            + (named ? ")" : "")
            + ".";
    String path =
        "/dead-letters/"
            + URLEncoder.encode(id.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    return new Notice(NoticeKind.NEW_GROUP, now, text, about, path);
  }
}
