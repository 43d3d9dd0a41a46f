package dev.contrail.console.notice;

import dev.contrail.console.notice.Outbox.Waiting;
import dev.contrail.console.notice.Webhook.Answer;
import dev.contrail.console.notice.Webhook.Outcome;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends notices one after the other on a thread of its own: whoever tells never waits, whatever the
 * other side does. One that is not taken is tried again for a while, and the next ones wait.
 */
final class NoticeSender implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NoticeSender.class);
  private static final Duration GIVEN_UP_AFTER = Duration.ofMinutes(30);
  private static final long LONGEST_PAUSE_SECONDS = 300;
  private static final long LOOK_MILLIS = 1_000;
  private static final int ID_BYTES = 8;

  private final Webhook webhook;
  private final Outbox outbox;
  private final InstantSource clock;
  private final Backoff backoff;
  private final SecureRandom random = new SecureRandom();
  private final Thread thread;
  private volatile boolean closed;

  /** How long to wait after so many attempts. */
  @FunctionalInterface
  interface Backoff {
    /** From a second to a minute. */
    Backoff USUAL = attempts -> Duration.ofSeconds(Math.min(60, 1L << Math.min(6, attempts - 1)));

    Duration after(int attempts);
  }

  NoticeSender(Webhook webhook, Outbox outbox, InstantSource clock, Backoff backoff) {
    this.webhook = webhook;
    this.outbox = outbox;
    this.clock = clock;
    this.backoff = backoff;
    this.thread = new Thread(this::run, "contrail-notices");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        Optional<Waiting> next = outbox.peek(clock.instant());
        if (next.isEmpty()) {
          outbox.await(LOOK_MILLIS);
        } else if (isOld(next.get())) {
          told("notice.lost", next.get().notice(), 0, "it waited too long for others");
          outbox.drop();
        } else if (attempt(next.get())) {
          outbox.done();
        } else {
          outbox.drop();
        }
      }
    } catch (InterruptedException e) {
      // Asked to end.
      Thread.currentThread().interrupt();
    }
  }

  /** News that is older than this is none, however long it had to wait for others. */
  private boolean isOld(Waiting next) {
    return next.told().plus(GIVEN_UP_AFTER).isBefore(clock.instant());
  }

  /** False when it was not taken in time. */
  private boolean attempt(Waiting next) throws InterruptedException {
    try {
      return deliver(next);
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      // One that cannot be sent must not keep the others from it; after an error neither.
      told("notice.lost", next.notice(), 1, e.getClass().getSimpleName());
      return true;
    }
  }

  private boolean deliver(Waiting next) throws InterruptedException {
    Notice notice = next.notice();
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    // The same with every attempt: by it the other side knows a second copy.
    String id = HexFormat.of().formatHex(bytes);
    for (int attempts = 1; ; attempts++) {
      Answer answer = webhook.send(id, notice, clock.instant());
      if (answer.outcome() == Outcome.DELIVERED) {
        return true;
      }
      boolean refused = answer.outcome() == Outcome.REFUSED;
      if (refused || isOld(next)) {
        told("notice.lost", notice, attempts, answer.why());
        return refused;
      }
      if (attempts == 1) {
        told("notice.late", notice, attempts, answer.why());
      }
      Thread.sleep(pause(attempts, answer).toMillis());
    }
  }

  /** Longer where the other side asks for it, and never shorter. */
  private Duration pause(int attempts, Answer answer) {
    Duration own = backoff.after(attempts);
    Duration asked =
        Duration.ofSeconds(Math.min(LONGEST_PAUSE_SECONDS, answer.waitSeconds().orElse(0)));
    return asked.compareTo(own) > 0 ? asked : own;
  }

  private void told(String event, Notice notice, int attempts, String why) {
    log.atWarn()
        .addKeyValue("event", event)
        .addKeyValue("kind", notice.kind().text())
        .addKeyValue("to", webhook.place())
        .addKeyValue("attempts", attempts)
        .log(why);
  }

  /** Ends; what waits is not sent. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    if (outbox.size() > 0) {
      log.atWarn()
          .addKeyValue("event", "notice.unsent")
          .addKeyValue("count", outbox.size())
          .log("the process ends");
    }
  }
}
