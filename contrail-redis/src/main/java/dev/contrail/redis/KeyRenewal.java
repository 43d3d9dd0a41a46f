package dev.contrail.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One walk over all completions of a consumer that lets each live at least for a given time. */
final class KeyRenewal {
  private static final int KEYS_PER_PAGE = 1_000;

  private final RedisLink link;
  private final ScanArgs pages;
  private final long ttlMillis;
  private final CompletableFuture<Long> done = new CompletableFuture<>();
  private long renewed;

  private KeyRenewal(RedisLink link, Keys keys, long ttlMillis) {
    this.link = link;
    this.pages = ScanArgs.Builder.matches(keys.pattern()).limit(KEYS_PER_PAGE);
    this.ttlMillis = ttlMillis;
  }

  /** Answers how many lived shorter; failed when some may still do. */
  static CompletableFuture<Long> run(RedisLink link, Keys keys, long ttlMillis) {
    KeyRenewal renewal = new KeyRenewal(link, keys, ttlMillis);
    renewal.nextPage(ScanCursor.INITIAL);
    return renewal.done;
  }

  private void nextPage(ScanCursor cursor) {
    var unused =
        link.ask(redis -> redis.scan(cursor, pages))
            .thenCompose(page -> renew(page.getKeys()).thenApply(nothing -> page))
            .whenComplete(this::pageDone);
  }

  private void pageDone(KeyScanCursor<byte[]> page, Throwable failure) {
    if (failure != null) {
      done.completeExceptionally(failure);
    } else if (page.isFinished()) {
      done.complete(renewed);
    } else {
      nextPage(page);
    }
  }

  private CompletableFuture<Void> renew(List<byte[]> page) {
    List<IntegerOutput<byte[], byte[]>> left = new ArrayList<>(page.size());
    Pipeline pipeline = new Pipeline(page.size());
    for (byte[] key : page) {
      IntegerOutput<byte[], byte[]> output = new IntegerOutput<>(ByteArrayCodec.INSTANCE);
      left.add(output);
      pipeline.add(CommandType.PTTL, Pipeline.arguments().addKey(key), output);
    }
    return link.send(pipeline).thenCompose(nothing -> renewShorter(page, left));
  }

  private CompletableFuture<Void> renewShorter(
      List<byte[]> page, List<IntegerOutput<byte[], byte[]>> left) {
    Pipeline pipeline = new Pipeline(page.size());
    for (int i = 0; i < page.size(); i++) {
      // Negative: it is gone already, or somebody keeps it for ever.
      long millis = left.get(i).get();
      if (millis >= 0 && millis < ttlMillis) {
        renewed++;
        pipeline.add(
            CommandType.PEXPIRE,
            Pipeline.arguments().addKey(page.get(i)).add(ttlMillis),
            new IntegerOutput<>(ByteArrayCodec.INSTANCE));
      }
    }
    return link.send(pipeline);
  }
}
