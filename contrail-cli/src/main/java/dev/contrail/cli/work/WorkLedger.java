package dev.contrail.cli.work;

import dev.contrail.cli.command.LedgerSetting;
import dev.contrail.jetstream.ConsumerBuilder;
import dev.contrail.redis.RedisLedger;
import java.util.Optional;

/** The ledger that was asked for, while a worker uses it. */
final class WorkLedger implements AutoCloseable {
  private static final String WITHOUT_LEDGER =
      "no ledger: what is delivered again is run again, as after a crash or a lost ack";

  private final LedgerSetting setting;
  private final Optional<RedisLedger> redis;

  WorkLedger(LedgerSetting setting, String prefix) {
    this.setting = setting;
    this.redis =
        setting instanceof LedgerSetting.Redis chosen
            ? Optional.of(chosen.ledger(prefix))
            : Optional.empty();
  }

  /** What is worth a line; empty for the usual one. */
  Optional<String> remark() {
    return setting instanceof LedgerSetting.None
        ? Optional.of(WITHOUT_LEDGER)
        : redis.map(RedisLedger::toString);
  }

  void giveTo(ConsumerBuilder<byte[]> consumer) {
    redis.ifPresent(consumer::ledger);
    if (setting instanceof LedgerSetting.None) {
      consumer.withoutLedger();
    }
  }

  @Override
  public void close() {
    redis.ifPresent(RedisLedger::close);
  }
}
