package dev.contrail.bench;

import dev.contrail.redis.RedisLedger;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.nats.client.Message;
import io.nats.client.impl.NatsJetStreamMetaData;
import java.time.Duration;

/** A Redis server, for those who keep in it which messages are done. */
final class BenchRedis implements AutoCloseable {
  private static final String PREFIX = "contrail-bench";
  private static final Duration TTL = Duration.ofMinutes(10);
  private static final int SCANNED_AT_ONCE = 1_000;

  private final RedisClient client;
  private final RedisLedger ledger;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisCommands<String, String> commands;
  private final String version;

  private BenchRedis(
      RedisClient client, StatefulRedisConnection<String, String> connection, RedisLedger ledger) {
    this.client = client;
    this.ledger = ledger;
    this.connection = connection;
    this.commands = connection.sync();
    this.version =
        commands
            .info("server")
            .lines()
            .filter(line -> line.startsWith("redis_version:"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse("unknown");
  }

  /**
   * Connects.
   *
   * @throws NoRedisException when there is no such server
   */
  static BenchRedis at(String url) {
    RedisLedger ledger = ledgerAt(url);
    RedisClient client = RedisClient.create(RedisURI.create(url));
    try {
      return new BenchRedis(client, client.connect(), ledger);
    } catch (RedisException e) {
      client.shutdown();
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new NoRedisException(
          "no Redis server at " + ledger.place() + ": " + reason.getMessage(), e);
    }
  }

  /** Checks the URL, without a word of the password that may be in it. */
  private static RedisLedger ledgerAt(String url) {
    try {
      return RedisLedger.at(url).prefix(PREFIX);
    } catch (IllegalArgumentException e) {
      throw new NoRedisException(String.valueOf(e.getMessage()), e);
    }
  }

  String version() {
    return version;
  }

  /** Completion ledgers in it. */
  RedisLedger ledger() {
    return ledger;
  }

  /** As commonly done: is there a key for it, handle it, write the key, ack. */
  void guarded(Message message, Work work) throws InterruptedException {
    NatsJetStreamMetaData about = message.metaData();
    String key =
        PREFIX + ":" + keyPart(about.getStream(), about.getConsumer()) + about.streamSequence();
    if (commands.exists(key) == 0) {
      work.handle(message.getData());
      commands.set(key, "1", SetArgs.Builder.ex(TTL));
    }
    message.ack();
  }

  /** Deletes what was written for a consumer, by whichever contender. */
  void forget(Place place) {
    forget(keyPart(place.stream(), place.consumer()));
  }

  /** Deletes what was written for all streams whose names begin so. */
  void forget(String stream) {
    ScanArgs matching = ScanArgs.Builder.matches("*:" + stream + "*").limit(SCANNED_AT_ONCE);
    ScanCursor cursor = ScanCursor.INITIAL;
    while (!cursor.isFinished()) {
      KeyScanCursor<String> found = commands.scan(cursor, matching);
      if (!found.getKeys().isEmpty()) {
        commands.unlink(found.getKeys().toArray(String[]::new));
      }
      cursor = found;
    }
  }

  private static String keyPart(String stream, String consumer) {
    return stream + ":" + consumer + ":";
  }

  @Override
  public void close() {
    ledger.close();
    connection.close();
    client.shutdown();
  }
}
