package dev.contrail.redis;

import dev.contrail.Durations;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerFactory;
import dev.contrail.ledger.LedgerScope;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps completions in Redis, for those who have one: {@code
 * consumer.ledger(RedisLedger.at("redis://127.0.0.1:6379"))}. A completion is a key that Redis
 * forgets after a time, the TTL. So unlike the ledger in JetStream, which forgets nothing that can
 * come again, this one keeps its promise only for messages that come again within the TTL.
 *
 * <p>It connects when the first consumer is started with it. Several consumers may share one; who
 * made it closes it, after them.
 */
public final class RedisLedger implements LedgerFactory, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisLedger.class);
  private static final Pattern URL =
      Pattern.compile(
          "(?<scheme>rediss?)(?<before>://([^@/?#]*@)?)(?<host>[\\w.-]+|\\[[\\p{XDigit}:.]+])"
              + "(?<after>(:\\d{1,5})?(/\\d*)?)",
          Pattern.CASE_INSENSITIVE);
  private static final String DEFAULT_PREFIX = "contrail";
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);
  private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);

  private final RedisURI uri;
  private final String prefix;
  private final TtlRule rule;
  private final Duration timeout;
  private final Map<String, Duration> ackWaits = new ConcurrentHashMap<>();
  private volatile @Nullable RedisLink link;
  private volatile boolean closed;

  private RedisLedger(RedisURI uri, String prefix, TtlRule rule, Duration timeout) {
    this.uri = uri;
    this.prefix = prefix;
    this.rule = rule;
    this.timeout = timeout;
  }

  /**
   * In this Redis, which must be a primary and no cluster.
   *
   * @param url such as {@code redis://127.0.0.1:6379}, {@code rediss://user:password@host:6380/2}
   * @throws IllegalArgumentException when it is none
   */
  public static RedisLedger at(String url) {
    Matcher parts = URL.matcher(url.strip());
    if (!parts.matches()) {
      throw refused(url);
    }
    RedisURI uri;
    try {
      // Lettuce cannot tell the host from the password and the port where it has an underscore.
      uri =
          RedisURI.create(
              parts.group("scheme").toLowerCase(Locale.ROOT)
                  + parts.group("before")
                  + "host"
                  + parts.group("after"));
    } catch (IllegalArgumentException e) {
      throw refused(url);
    }
    uri.setHost(parts.group("host"));
    return new RedisLedger(uri, DEFAULT_PREFIX, TtlRule.derived(), DEFAULT_TIMEOUT);
  }

  /** What may hold a password is not repeated. */
  private static IllegalArgumentException refused(String url) {
    return new IllegalArgumentException(
        "the URL of the Redis ledger"
            + (url.contains("@") || url.contains("?") ? "" : ", '" + url + "',")
            + " is none; accepted are redis://host:6379 and"
            + " rediss://user:password@host:6379/database");
  }

  /**
   * Forgets a completion after this time. By default it is derived: twice the effective AckWait of
   * the consumer (the longer of AckWait and the longest retry delay) or twice the longest outage,
   * whichever is longer. One that is shorter than what it is derived from refuses to start.
   */
  public RedisLedger ttl(Duration ttl) {
    return new RedisLedger(uri, prefix, rule.withTtl(ttl), timeout);
  }

  /**
   * All workers of a consumer are never down for longer than this; 24 h. A message that a worker
   * completed and did not ack before it died comes again when the next one pulls, however late; if
   * that is after the TTL, it is processed twice.
   */
  public RedisLedger longestOutage(Duration outage) {
    return new RedisLedger(uri, prefix, rule.withLongestOutage(outage), timeout);
  }

  /** The keys begin with this; {@code contrail}. */
  public RedisLedger prefix(String newPrefix) {
    if (newPrefix.isBlank()) {
      throw new IllegalArgumentException(
          "the prefix of the Redis ledger is blank, but must be a word such as " + DEFAULT_PREFIX);
    }
    return new RedisLedger(uri, newPrefix, rule, timeout);
  }

  /** A call that Redis has not answered by then has failed, and is tried again; 2 s. */
  public RedisLedger timeout(Duration newTimeout) {
    if (newTimeout.compareTo(LEAST_TIMEOUT) < 0 || newTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "the timeout of the Redis ledger is "
              + Durations.format(newTimeout)
              + ", but must be between "
              + Durations.format(LEAST_TIMEOUT)
              + " and "
              + Durations.format(LONGEST_TIMEOUT));
    }
    return new RedisLedger(uri, prefix, rule, newTimeout);
  }

  /**
   * Why it cannot keep its promise for a consumer with that effective AckWait; empty when it can.
   * Asks no server: it is the rule by which a worker is refused.
   */
  public Optional<String> objection(Duration effectiveAckWait) {
    return rule.objection(effectiveAckWait);
  }

  /** As {@link #open(LedgerScope, Consumer)}; alerts are logged. */
  @Override
  public CompletionLedger open(LedgerScope scope) {
    return open(scope, alert -> log.error("{}: {}", scope, alert));
  }

  /**
   * Opens the ledger of a consumer. The first time this waits for the connection; from then on it
   * returns at once, also while Redis is away.
   *
   * @throws RedisUnavailableException when Redis cannot be reached the first time
   * @throws RedisLedgerException when it is not fit for a ledger
   */
  @Override
  public CompletionLedger open(LedgerScope scope, Consumer<String> alerts) {
    RedisLink connected = connected();
    Keys keys = new Keys(prefix, scope);
    String consumer = scope.stream() + " " + scope.consumer();
    KeyLifetime lifetime =
        new KeyLifetime(
            scope,
            connected,
            keys,
            rule,
            ackWaits.getOrDefault(consumer, Duration.ZERO),
            ackWait -> ackWaits.put(consumer, ackWait));
    return new RedisCompletionLedger(scope, connected, keys, lifetime, alerts);
  }

  /**
   * The completions of a consumer, for operators. The first time this waits for the connection.
   *
   * @throws RedisUnavailableException when Redis cannot be reached the first time
   * @throws RedisLedgerException when it is not fit for a ledger
   */
  public RedisCompletions completions(LedgerScope scope) {
    return new RedisCompletions(connected(), new Keys(prefix, scope));
  }

  private RedisLink connected() {
    RedisLink there = link;
    return there != null && !closed ? there : connect();
  }

  private synchronized RedisLink connect() {
    if (closed) {
      throw new IllegalStateException(
          "the Redis ledger at " + RedisLink.nameOf(uri) + " is closed");
    }
    RedisLink there = link;
    if (there == null) {
      there = new RedisLink(uri, timeout);
      link = there;
    }
    return there;
  }

  /** Ends the connection. Ledgers that are still open answer with failures from then on. */
  @Override
  public synchronized void close() {
    closed = true;
    RedisLink there = link;
    if (there != null) {
      there.close();
    }
  }

  /** Where it is, without a password. */
  public String place() {
    return RedisLink.nameOf(uri);
  }

  @Override
  public String toString() {
    return "completions in Redis at " + place();
  }
}
