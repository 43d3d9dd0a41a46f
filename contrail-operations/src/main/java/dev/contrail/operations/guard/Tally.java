package dev.contrail.operations.guard;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.stranded.GuardedMessage;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what a guard does and passes it on to who listens: in order, and on a thread of its own,
 * so that a listener who is slow keeps nobody from work.
 */
final class Tally implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Tally.class);
  private static final int LAST_WORDS_SECONDS = 10;
  private static final int MOST_UNHEARD = 100_000;
  private static final long FORGOTTEN_NANOS = AdvisoryReader.LONGEST_WAIT.multipliedBy(2).toNanos();

  private final GuardListener listener;
  private final ExecutorService voice;
  private final Semaphore unheard = new Semaphore(MOST_UNHEARD);
  private final AtomicLong lost = new AtomicLong();
  private final Map<GuardedMessage, Long> waiting = new HashMap<>();
  private final Set<GuardEvent> toldOnce = Collections.newSetFromMap(new LastOnes());
  private long advisories;
  private long buried;
  private long released;
  private long failures;
  private @Nullable Instant lastSweep;
  private final Troubles troubles = new Troubles();

  /** Remembers that much and no more. */
  private static final class LastOnes extends LinkedHashMap<GuardEvent, Boolean> {
    private static final long serialVersionUID = 1L;
    private static final int MOST = 100_000;

    @Override
    protected boolean removeEldestEntry(Map.Entry<GuardEvent, Boolean> eldest) {
      return size() > MOST;
    }
  }

  Tally(GuardListener listener) {
    this(listener, Threads.pool(1, "contrail-guard-voice"));
  }

  /**
   * For a listener.
   *
   * @param voice where it hears of things, one after the other
   */
  Tally(GuardListener listener, ExecutorService voice) {
    this.listener = listener;
    this.voice = voice;
  }

  synchronized void advisory() {
    advisories++;
  }

  void tell(GuardEvent event) {
    synchronized (this) {
      boolean onceOnly =
          event instanceof GuardEvent.WouldBury
              || event instanceof GuardEvent.WouldRelease
              || event instanceof GuardEvent.LeftAlone
              || event instanceof GuardEvent.OtherDomain;
      if (onceOnly && !toldOnce.add(event)) {
        // A sweep finds what an advisory told of.
        return;
      }
      if (event instanceof GuardEvent.Buried) {
        buried++;
      } else if (event instanceof GuardEvent.Released) {
        released++;
      }
    }
    say(event);
  }

  /** Told of once, however often it is looked at. */
  void waits(GuardedMessage message, String why) {
    boolean first;
    synchronized (this) {
      long now = System.nanoTime();
      // Whose advisory is gone is not looked at again.
      waiting.values().removeIf(then -> now - then > FORGOTTEN_NANOS);
      first = waiting.put(message, now) == null;
    }
    if (first) {
      say(new GuardEvent.Waiting(message, why));
    }
  }

  synchronized void settled(GuardedMessage message) {
    waiting.remove(message);
  }

  void swept(GuardEvent.Swept event, Instant at) {
    synchronized (this) {
      lastSweep = at;
    }
    say(event);
  }

  void failed(String what, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    // The client throws the other one when the connection is gone.
    if (!(cause instanceof ContrailException || cause instanceof IllegalStateException)) {
      log.warn("{} failed", what, cause);
    }
    String why = Optional.ofNullable(cause.getMessage()).orElseGet(cause::toString);
    String sentence = what + " failed and is tried again: " + why;
    boolean news;
    synchronized (this) {
      failures++;
      // While a server is away, thousands fail for the same reason.
      news = troubles.add(sentence, why, System.nanoTime());
    }
    if (news) {
      say(new GuardEvent.Trouble(sentence));
    }
  }

  /** A listener that hangs fills no memory: what it does not hear is counted, and said later. */
  private void say(GuardEvent event) {
    if (!unheard.tryAcquire()) {
      lost.incrementAndGet();
      return;
    }
    voice.execute(
        () -> {
          try {
            hear(event);
            long missed = lost.getAndSet(0);
            if (missed > 0) {
              hear(new GuardEvent.Trouble(missed + " events came too fast to be told."));
            }
          } finally {
            unheard.release();
          }
        });
  }

  private void hear(GuardEvent event) {
    try {
      listener.told(event);
    } catch (RuntimeException e) {
      log.warn("the listener failed on: {}", event.sentence(), e);
    }
  }

  synchronized GuardStatus status(boolean leading, Optional<String> leader) {
    return new GuardStatus(
        leading,
        leader,
        advisories,
        buried,
        released,
        waiting.size(),
        failures,
        Optional.ofNullable(lastSweep),
        troubles.now(System.nanoTime()));
  }

  /** What waits is the next leader's business. */
  synchronized void forgetWaiting() {
    waiting.clear();
  }

  synchronized long waiting() {
    return waiting.size();
  }

  /** Whatever was told until now is heard. */
  @Override
  public void close() {
    voice.shutdown();
    try {
      if (!voice.awaitTermination(LAST_WORDS_SECONDS, TimeUnit.SECONDS)) {
        log.warn("the listener did not hear everything");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
