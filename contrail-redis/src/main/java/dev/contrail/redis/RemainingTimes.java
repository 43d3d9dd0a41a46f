package dev.contrail.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks for how long keys will still live. */
final class RemainingTimes {
  private RemainingTimes() {}

  /** In milliseconds; -1: for ever, -2: it is gone already. */
  static CompletableFuture<List<Long>> of(List<byte[]> keys, RedisLink link) {
    List<IntegerOutput<byte[], byte[]>> left = new ArrayList<>(keys.size());
    Pipeline pipeline = new Pipeline(keys.size());
    for (byte[] key : keys) {
      IntegerOutput<byte[], byte[]> output = new IntegerOutput<>(ByteArrayCodec.INSTANCE);
      left.add(output);
      pipeline.add(CommandType.PTTL, Pipeline.arguments().addKey(key), output);
    }
    return link.send(pipeline).thenApply(done -> left.stream().map(IntegerOutput::get).toList());
  }
}
