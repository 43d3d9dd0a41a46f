package dev.contrail.cli.doctor;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.doctor.DoctorOptions;
import dev.contrail.operations.doctor.LedgerCheck;
import dev.contrail.operations.doctor.Monitoring;
import dev.contrail.redis.RedisLedger;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What the server does not tell. */
@HelpGroup(heading = "What the server does not tell", order = 20)
public final class KnownOptions {
  private static final DoctorOptions USUAL = DoctorOptions.defaults();
  private static final String ANY_REDIS = "redis://127.0.0.1";

  @Option(
      names = "--over",
      paramLabel = "DURATION",
      defaultValue = "1s",
      converter = Watched.class,
      description = "how long to watch, for rates; 0s looks once (1s)")
  private Duration over = USUAL.over();

  @Option(
      names = "--forgotten-after",
      paramLabel = "DURATION",
      defaultValue = "7d",
      converter = Any.class,
      description = "from when on a durable that nobody asks is forgotten (7d)")
  private Duration forgottenAfter = USUAL.forgottenAfter();

  @Option(
      names = {"--delivery-limit", "--max-deliver"},
      paramLabel = "N",
      defaultValue = "100",
      converter = Limit.class,
      description = "after how many deliveries Contrail's workers give up (100)")
  private int deliveryLimit = 100;

  @Option(
      names = "--longest-delay",
      paramLabel = "DURATION",
      defaultValue = "1h",
      converter = Any.class,
      description = "the longest retry delay of Contrail's workers (1h)")
  private Duration longestDelay = USUAL.longestDelay();

  @Option(
      names = "--dedup-ttl",
      paramLabel = "DURATION",
      converter = Any.class,
      description = "for how long a ledger in Redis keeps completions, if that was set")
  private @Nullable Duration dedupTtl;

  @Option(
      names = "--longest-outage",
      paramLabel = "DURATION",
      defaultValue = "24h",
      converter = Any.class,
      description = "with --dedup-ttl: for how long all workers may be down (24h)")
  private Duration longestOutage = Duration.ofHours(24);

  @Option(
      names = "--worked",
      paramLabel = "STREAM/CONSUMER",
      split = ",",
      converter = Worked.class,
      description =
          "Contrail works this consumer, though it did not make it and keeps no ledger for it in"
              + " JetStream; may be repeated")
  private List<String> worked = new ArrayList<>();

  @Option(
      names = "--sync-interval",
      paramLabel = "always|DURATION",
      converter = SyncInterval.class,
      description = "the server's sync_interval, which JetStream does not tell")
  private @Nullable Duration syncInterval;

  @Option(
      names = "--monitor",
      paramLabel = "URL",
      converter = Page.class,
      description = "the server's monitoring page, such as http://127.0.0.1:8222, which tells it")
  private @Nullable URI monitor;

  /**
   * All of it, asking the monitoring page where one is named.
   *
   * @throws ContrailException when that page cannot be read
   */
  public DoctorOptions options() throws InterruptedException {
    return USUAL
        .withWorkers(deliveryLimit, longestDelay, ledger())
        .withForgottenAfter(forgottenAfter)
        .withOver(over)
        .withWorked(Set.copyOf(worked))
        .withSyncInterval(sync());
  }

  private Optional<Duration> sync() throws InterruptedException {
    if (syncInterval == null && monitor != null) {
      return Monitoring.syncInterval(monitor);
    }
    return Optional.ofNullable(syncInterval);
  }

  private LedgerCheck ledger() {
    if (dedupTtl == null) {
      return LedgerCheck.none();
    }
    Duration ttl = dedupTtl;
    return wait -> {
      // Never connected: it is asked for its rule alone.
      try (RedisLedger redis = RedisLedger.at(ANY_REDIS)) {
        return redis.ttl(ttl).longestOutage(longestOutage).objection(wait);
      }
    };
  }

  static final class Watched extends DurationValue {
    Watched() {
      super(Duration.ZERO, Duration.ofMinutes(10));
    }
  }

  static final class Any extends DurationValue {
    Any() {
      super(Duration.ofSeconds(1), Duration.ofDays(3_650));
    }
  }

  static final class Limit extends NumberValue {
    Limit() {
      super(1, Integer.MAX_VALUE);
    }
  }

  static final class Worked implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      String[] names = text.strip().split("/", -1);
      if (names.length != 2) {
        throw new BadValueException(
            "'" + text + "' is no consumer; accepted is STREAM/CONSUMER, such as ORDERS/billing");
      }
      NatsNames.Name name = new NatsNames.Name();
      return name.convert(names[0]) + "/" + name.convert(names[1]);
    }
  }

  static final class SyncInterval implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return text.equalsIgnoreCase("always") ? Duration.ZERO : DurationValue.parse(text);
    }
  }

  static final class Page implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      if (!text.matches("https?://[^\\s/]+/?")) {
        throw new BadValueException(
            "'" + text + "' is no page; accepted is an address like http://127.0.0.1:8222");
      }
      return URI.create(text);
    }
  }
}
