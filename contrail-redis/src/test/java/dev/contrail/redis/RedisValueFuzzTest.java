package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerScope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

class RedisValueFuzzTest extends FuzzTargets {
  private static final Keys KEYS = new Keys("contrail", new LedgerScope("ORDERS", "billing", "g2"));

  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("redis-value", RedisValueFuzzTest::value);
  }

  /** Only the very time at which a message was published says that it is completed. */
  private static void value(byte[] data) {
    long sequence = KEYS.sequence(data);
    assertThat(sequence).isNotNegative();
    MatchOutput output = new MatchOutput(List.of(new Message(42, 1_700_000_000_000L)), 0);
    output.multi(1);
    output.set(ByteBuffer.wrap(data));
    boolean completed = output.get().get(0);
    String text = new String(data, StandardCharsets.ISO_8859_1);
    assertThat(completed).isEqualTo(text.matches("0*1700000000000"));
    assertThat(completed ? 0 : 1)
        .isEqualTo(
            (output.reused().isPresent() ? 1 : 0) + (output.unreadable().isPresent() ? 1 : 0));
  }

  private record Message(long sequence, long publishedMillis) implements LedgerEntry {}
}
