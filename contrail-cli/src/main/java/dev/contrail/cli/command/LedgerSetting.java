package dev.contrail.cli.command;

import dev.contrail.redis.RedisLedger;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/** Where it is recorded which messages are done. */
public sealed interface LedgerSetting {
  /** Chooses it for all commands. */
  String VARIABLE = "CONTRAIL_LEDGER";

  /** In a stream beside the messages. */
  record JetStream() implements LedgerSetting {}

  /**
   * In a Redis server.
   *
   * @param url may hold a password
   */
  record Redis(String url) implements LedgerSetting {
    /**
     * Not connected yet.
     *
     * @param prefix of the names of all that Contrail stores
     */
    public RedisLedger ledger(String prefix) {
      return RedisLedger.at(url).prefix(prefix);
    }

    @Override
    public String toString() {
      return RedisLedger.at(url).toString();
    }
  }

  /** Nowhere. */
  record None() implements LedgerSetting {}

  /**
   * Reads it.
   *
   * @throws BadValueException when it is none of them; an address, which may hold a password, is
   *     not repeated
   */
  static LedgerSetting parse(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.startsWith("redis://") || lower.startsWith("rediss://")) {
      return redis(text);
    }
    return switch (lower) {
      case "jetstream" -> new JetStream();
      case "none" -> new None();
      default ->
          throw new BadValueException(
              (text.contains("@") ? "that" : "'" + text + "'")
                  + " is no ledger; accepted are jetstream, redis://HOST:PORT, rediss://HOST:PORT,"
                  + " none");
    };
  }

  private static Redis redis(String text) {
    try {
      RedisLedger.at(text).close();
      return new Redis(text);
    } catch (IllegalArgumentException malformed) {
      throw new BadValueException(
          "that is no address of a Redis; accepted are redis://HOST:PORT and"
              + " rediss://USER:PASSWORD@HOST:PORT/DATABASE");
    }
  }

  /** Reads it from the command line or a setting. */
  final class Value implements ITypeConverter<LedgerSetting> {
    @Override
    public LedgerSetting convert(String text) {
      return parse(text);
    }
  }

  /** Which of a consumer's ledgers. */
  final class Generation extends NumberValue {
    public Generation() {
      super(0, Integer.MAX_VALUE);
    }
  }
}
