package dev.contrail.console.notice;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Tells: a line in the log for each notice, and where there is a URL, a request. Never waits.
 * Thread-safe.
 */
public final class Notices implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Notices.class);
  private static final Duration ATTEMPT = Duration.ofSeconds(10);
  // By then another that should have sent it did, or this process has taken over.
  private static final Duration KEPT = Duration.ofMinutes(1);
  private static final int MOST_KEPT = 100;

  private final Outbox outbox = new Outbox();
  private final Optional<NoticeSender> sender;
  private final BooleanSupplier mine;
  private final InstantSource clock;
  private final Deque<Notice> ofOthers = new ArrayDeque<>();

  /**
   * Begins to send.
   *
   * @param mine whether notices are this process's to send: of several that see the same, one tells
   * @param program name and version
   * @param server the NATS server for people to read, without passwords
   */
  public Notices(
      NoticeSettings settings,
      BooleanSupplier mine,
      String program,
      String server,
      InstantSource clock) {
    this(
        settings.url().map(url -> new Webhook(url, settings.secret(), program, server, ATTEMPT)),
        mine,
        clock,
        NoticeSender.Backoff.USUAL);
  }

  Notices(
      Optional<Webhook> webhook,
      BooleanSupplier mine,
      InstantSource clock,
      NoticeSender.Backoff backoff) {
    this.mine = mine;
    this.clock = clock;
    this.sender = webhook.map(it -> new NoticeSender(it, outbox, clock, backoff));
    sender.ifPresent(NoticeSender::start);
  }

  /**
   * Sends what another process should have sent lately, where it is this one's now: the other may
   * have been killed before it did. To be called about once a second.
   */
  public synchronized void check() {
    if (sender.isEmpty()) {
      return;
    }
    Instant from = clock.instant().minus(KEPT);
    ofOthers.removeIf(notice -> notice.at().isBefore(from));
    if (mine.getAsBoolean()) {
      ofOthers.forEach(notice -> outbox.offer(notice, clock.instant()));
      ofOthers.clear();
    }
  }

  /** Tells. */
  public void tell(Notice notice) {
    boolean suppressed = sender.isPresent() && !send(notice);
    LoggingEventBuilder line =
        log.atWarn().addKeyValue("event", "notice").addKeyValue("kind", notice.kind().text());
    for (var field : notice.about().entrySet()) {
      line = line.addKeyValue(field.getKey(), field.getValue());
    }
    if (suppressed) {
      line = line.addKeyValue("suppressed", true);
    }
    line.log(notice.text());
  }

  /** False where it was one too many. */
  private synchronized boolean send(Notice notice) {
    if (mine.getAsBoolean()) {
      return outbox.offer(notice, clock.instant());
    }
    if (ofOthers.size() == MOST_KEPT) {
      ofOthers.removeFirst();
    }
    ofOthers.addLast(notice);
    return true;
  }

  @Override
  public void close() {
    sender.ifPresent(NoticeSender::close);
  }
}
