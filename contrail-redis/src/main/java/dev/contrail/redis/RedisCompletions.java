package dev.contrail.redis;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongConsumer;

/**
 * The completions of one consumer in Redis, as operators see and change them. All methods wait for
 * Redis, and throw a {@link RedisLedgerException} when it does not do what is asked.
 */
public final class RedisCompletions {
  /** More sequences than this are not asked for one by one. */
  private static final long FEW = 100_000;

  private static final int KEYS_PER_COMMAND = 500;

  private final RedisLink link;
  private final Keys keys;

  RedisCompletions(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /** How many keys of whatever kind Redis has to pass to find them all. */
  public long keysToPass() {
    return answer(link.ask(RedisAsyncCommands::dbsize));
  }

  /**
   * For how long they will still be known.
   *
   * @param ackFloor the messages above it may still come again
   * @param progress is told now and then how many of {@link #keysToPass} were passed
   */
  public TtlDistribution remaining(
      long ackFloor, Duration effectiveAckWait, LongConsumer progress) {
    TtlTally tally = new TtlTally(ackFloor, effectiveAckWait);
    answer(
        KeyWalk.run(
            link,
            keys,
            page ->
                RemainingTimes.of(page, link)
                    .thenAccept(
                        left -> {
                          for (int i = 0; i < page.size(); i++) {
                            tally.add(keys.sequence(page.get(i)), left.get(i));
                          }
                        }),
            progress));
    return tally.result();
  }

  /** How many of these messages are recorded as completed. */
  public long count(long from, long to) {
    return each(CommandType.EXISTS, from, to);
  }

  /**
   * Forgets that these messages were completed: they are processed when they are delivered again.
   *
   * @return how many were
   */
  public long forget(long from, long to) {
    return each(CommandType.UNLINK, from, to);
  }

  private long each(CommandType command, long from, long to) {
    return to - from < FEW ? oneByOne(command, from, to) : walking(command, from, to);
  }

  private long oneByOne(CommandType command, long from, long to) {
    long sum = 0;
    for (long next = from; next <= to; next += KEYS_PER_COMMAND) {
      CommandArgs<byte[], byte[]> some = Pipeline.arguments();
      for (long i = next; i <= to && i < next + KEYS_PER_COMMAND; i++) {
        some.addKey(keys.of(i));
      }
      sum += answer(send(command, some));
    }
    return sum;
  }

  private long walking(CommandType command, long from, long to) {
    long[] sum = {0};
    answer(
        KeyWalk.run(
            link,
            keys,
            page -> {
              List<byte[]> within = page.stream().filter(key -> isWithin(key, from, to)).toList();
              return within.isEmpty()
                  ? CompletableFuture.completedFuture(null)
                  : send(command, Pipeline.arguments().addKeys(within))
                      .thenAccept(count -> sum[0] += count);
            },
            passed -> {}));
    return sum[0];
  }

  private boolean isWithin(byte[] key, long from, long to) {
    long sequence = keys.sequence(key);
    return sequence >= from && sequence <= to;
  }

  private CompletableFuture<Long> send(CommandType command, CommandArgs<byte[], byte[]> some) {
    IntegerOutput<byte[], byte[]> count = new IntegerOutput<>(ByteArrayCodec.INSTANCE);
    Pipeline pipeline = new Pipeline(1);
    pipeline.add(command, some, count);
    return link.send(pipeline).thenApply(done -> count.get());
  }

  private static <T> T answer(CompletableFuture<T> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      Throwable cause = RedisLink.unwrapped(e);
      throw cause instanceof RedisLedgerException told
          ? told
          : new RedisLedgerException(RedisLink.reason(cause), cause);
    }
  }
}
