package dev.contrail.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Lets each completion of a consumer live at least for a given time. */
final class KeyRenewal {
  private final RedisLink link;
  private final long ttlMillis;
  private long renewed;

  private KeyRenewal(RedisLink link, long ttlMillis) {
    this.link = link;
    this.ttlMillis = ttlMillis;
  }

  /** Answers how many lived shorter; failed when some may still do. */
  static CompletableFuture<Long> run(RedisLink link, Keys keys, long ttlMillis) {
    KeyRenewal renewal = new KeyRenewal(link, ttlMillis);
    return KeyWalk.run(link, keys, renewal::renew, passed -> {}).thenApply(done -> renewal.renewed);
  }

  private CompletableFuture<Void> renew(List<byte[]> page) {
    return RemainingTimes.of(page, link).thenCompose(left -> renewShorter(page, left));
  }

  private CompletableFuture<Void> renewShorter(List<byte[]> page, List<Long> left) {
    Pipeline pipeline = new Pipeline(page.size());
    for (int i = 0; i < page.size(); i++) {
      // Negative: it is gone already, or somebody keeps it for ever.
      long millis = left.get(i);
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
