package dev.contrail.cli.work;

import dev.contrail.cli.command.BadValueException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/** Where it is recorded which messages are done. */
sealed interface LedgerSetting {
  /** In a stream beside the messages. */
  record JetStream() implements LedgerSetting {}

  /** In a Redis server. */
  record Redis(URI server) implements LedgerSetting {}

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
          throw new BadValueException("'" + text + "' is no ledger; accepted are jetstream, none");
    };
  }

  private static Redis redis(String text) {
    try {
      URI server = new URI(text);
      if (server.getHost() != null) {
        return new Redis(server);
      }
    } catch (URISyntaxException malformed) {
      throw noAddress();
    }
    throw noAddress();
  }

  private static BadValueException noAddress() {
    return new BadValueException("that is no address of a Redis; accepted is redis://HOST…");
  }

  /** Refuses what can be read but not be had. */
  final class Value implements ITypeConverter<LedgerSetting> {
    @Override
    public LedgerSetting convert(String text) {
      LedgerSetting ledger = parse(text);
      if (ledger instanceof Redis) {
        throw new BadValueException(
            "a ledger in Redis is not to be had yet; accepted are jetstream, none");
      }
      return ledger;
    }
  }
}
