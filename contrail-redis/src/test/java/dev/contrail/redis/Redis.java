package dev.contrail.redis;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** A Redis of a test, seen past the ledger. */
final class Redis implements AutoCloseable {
  static final LedgerScope SCOPE = new LedgerScope("ORDERS", "billing", "ho77nadw1d");

  final RedisServer server;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;

  Redis(String... settings) {
    this.server = RedisServer.start(settings);
    this.client = RedisClient.create(server.url());
    this.connection = client.connect();
  }

  RedisCommands<String, String> commands() {
    return connection.sync();
  }

  /** With so much patience that a machine that is busy with other tests is no outage. */
  RedisLedger ledger() {
    return RedisLedger.at(server.url()).timeout(Duration.ofSeconds(20));
  }

  static String key(long sequence) {
    return "contrail:processed:ORDERS:billing:ho77nadw1d:" + sequence;
  }

  static final String LIFETIME_KEY = "contrail:processed-ttl:ORDERS:billing:ho77nadw1d";

  record Entry(long sequence, long publishedMillis) implements LedgerEntry {}

  static List<Entry> messages(long from, long to) {
    return LongStream.rangeClosed(from, to)
        .mapToObj(sequence -> new Entry(sequence, 1_700_000_000_000L + sequence))
        .toList();
  }

  static void record(CompletionLedger ledger, List<Entry> messages) {
    answer(ledger.record(messages));
  }

  static BitSet completed(CompletionLedger ledger, List<Entry> messages) {
    return answer(ledger.completed(messages));
  }

  static <T> T answer(CompletionStage<T> call) {
    return call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    client.shutdown(0, 2, TimeUnit.SECONDS);
    server.close();
  }
}
