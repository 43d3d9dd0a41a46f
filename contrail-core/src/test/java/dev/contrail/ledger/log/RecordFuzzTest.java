package dev.contrail.ledger.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Map;

class RecordFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("ledger-record", RecordFuzzTest::record, "ledger-block", RecordFuzzTest::block);
  }

  /** What can be read is read as the same when it is written again. */
  private static void record(byte[] data) {
    RecordFormat.Written read;
    try {
      read = RecordFormat.read(data);
    } catch (LedgerFormatException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      return;
    }
    byte[] once = written(read);
    RecordFormat.Written again = RecordFormat.read(once);
    assertThat(again.writer()).isEqualTo(read.writer());
    assertThat(again.record()).hasSameClassAs(read.record());
    assertThat(written(again)).isEqualTo(once);
    if (read.record() instanceof LedgerRecord.Completions completions) {
      assertThat(((LedgerRecord.Completions) again.record()).lows()).isEqualTo(completions.lows());
    }
  }

  private static byte[] written(RecordFormat.Written written) {
    LedgerRecord record = written.record();
    if (record instanceof LedgerRecord.Completions completions) {
      return RecordFormat.completions(written.writer(), completions);
    }
    if (record instanceof LedgerRecord.Snapshot snapshot) {
      return RecordFormat.snapshot(written.writer(), snapshot);
    }
    if (record instanceof LedgerRecord.Forget forget) {
      return RecordFormat.forget(written.writer(), forget.from(), forget.to());
    }
    return RecordFormat.barrier(written.writer());
  }

  private static void block(byte[] data) {
    String token = new String(data, UTF_8);
    BlockKey.parse(token)
        .ifPresent(
            key -> {
              assertThat(key.number()).isNotNegative();
              assertThat(BlockKey.parse(key.token())).contains(key);
              assertThat(BlockKey.parse(key.forgetToken())).contains(key);
            });
  }
}
