package dev.contrail.redis;

import dev.contrail.Durations;
import dev.contrail.ledger.LedgerScope;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.SetArgs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the completions of a consumer live as long as they must, also those that are
 * there already. A TTL that is raised is that of new keys alone; so beside the keys stands what
 * each of them had when it was written at least, and when that is less than what is needed now, all
 * of them are extended. Workers with other settings, and those that were there before, are covered
 * by that. Nothing is missing meanwhile: the keys still live.
 */
final class KeyLifetime {
  private static final Logger log = LoggerFactory.getLogger(RedisLedger.class);

  private final LedgerScope scope;
  private final RedisLink link;
  private final Keys keys;
  private final TtlRule rule;
  private final Consumer<Duration> ackWaits;
  private long ttlMillis;
  private long shortestMillis = Long.MAX_VALUE;
  private boolean looking;
  private Optional<String> problem = Optional.empty();

  /**
   * The lifetime of the keys of a ledger that was just opened.
   *
   * @param ackWait the effective AckWait as far as it is known
   * @param ackWaits is told when more of it is known
   */
  KeyLifetime(
      LedgerScope scope,
      RedisLink link,
      Keys keys,
      TtlRule rule,
      Duration ackWait,
      Consumer<Duration> ackWaits) {
    this.scope = scope;
    this.link = link;
    this.keys = keys;
    this.rule = rule;
    this.ackWaits = ackWaits;
    this.ttlMillis = rule.ttl(ackWait).toMillis();
  }

  synchronized long forNewKeys() {
    shortestMillis = Math.min(shortestMillis, ttlMillis);
    return ttlMillis;
  }

  Optional<String> objection(Duration ackWait) {
    Optional<String> objection = rule.objection(ackWait);
    if (objection.isPresent()) {
      return objection;
    }
    ackWaits.accept(ackWait);
    Duration needed = rule.needed(ackWait);
    synchronized (this) {
      // Never shorter again: AckWait may be back where it was in a minute.
      ttlMillis = Math.max(ttlMillis, rule.ttl(ackWait).toMillis());
      if (!looking) {
        looking = true;
        look(needed, ttlMillis, shortestMillis);
      }
      return problem;
    }
  }

  /** By how much the keys that this worker writes, and has written, outlive what is needed. */
  synchronized Duration headroom(Duration ackWait) {
    long shortest = Math.min(shortestMillis, ttlMillis);
    return Duration.ofMillis(shortest).minus(rule.needed(ackWait));
  }

  private void look(Duration needed, long ttl, long shortest) {
    var unused =
        link.ask(redis -> redis.get(keys.lifetime()))
            .thenCompose(
                known -> {
                  long least = Math.min(shortest, Math.min(ttl, millis(known)));
                  return least < needed.toMillis()
                      ? renew(ttl, least)
                      : CompletableFuture.completedFuture(least);
                })
            .thenCompose(
                least ->
                    link.ask(
                        redis ->
                            redis.set(
                                keys.lifetime(),
                                Keys.bytes(Long.toString(least)),
                                // Outlives whatever is written until this is asked again.
                                SetArgs.Builder.px(2 * ttl))))
            .whenComplete((done, failure) -> looked(needed, failure));
  }

  private CompletableFuture<Long> renew(long ttl, long least) {
    log.info(
        "{}: completions in Redis may live for {} only: extending all to {}",
        scope,
        text(least),
        text(ttl));
    return KeyRenewal.run(link, keys, ttl)
        .thenApply(
            count -> {
              log.info("{}: {} completions in Redis extended to {}", scope, count, text(ttl));
              synchronized (this) {
                shortestMillis = ttl;
              }
              return ttl;
            });
  }

  private synchronized void looked(Duration needed, @Nullable Throwable failure) {
    looking = false;
    if (failure == null) {
      problem = Optional.empty();
      return;
    }
    Optional<String> refusal = refusal(failure);
    if (refusal.isPresent()) {
      problem =
          Optional.of(
              "Completions in the Redis ledger may live shorter than the "
                  + Durations.format(needed)
                  + " for which a message may come again, and cannot be extended ("
                  + refusal.get()
                  + "); allow its user GET, SET, SCAN, PTTL and PEXPIRE on its keys.");
    } else {
      log.debug("{}: asked again in a minute: {}", scope, failure.getMessage());
    }
  }

  /** What Redis said, if it is there and just does not do it. */
  private static Optional<String> refusal(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof RedisCommandExecutionException)) {
      cause = cause.getCause();
    }
    return Optional.ofNullable(cause).map(Throwable::getMessage);
  }

  /** What cannot be read promises nothing. */
  private static long millis(byte @Nullable [] value) {
    String text = value == null ? "" : new String(value, StandardCharsets.US_ASCII);
    return value == null ? Long.MAX_VALUE : text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }

  private static String text(long millis) {
    return Durations.format(Duration.ofMillis(millis));
  }
}
