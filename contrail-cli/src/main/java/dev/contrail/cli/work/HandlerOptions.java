package dev.contrail.cli.work;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.NumberValue;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What is done for each message. */
@HelpGroup(heading = "What is done for each message", order = 10)
final class HandlerOptions {
  @Option(
      names = "--exec",
      paramLabel = "CMD",
      description = "run this shell command, with the payload on its standard input")
  @Nullable String exec;

  @Option(
      names = "--http",
      paramLabel = "URL",
      converter = Url.class,
      description = "post the payload to this URL")
  @Nullable URI http;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      converter = Concurrency.class,
      description = "how many messages at once (for --exec: twice the cores)")
  @Nullable Integer concurrency;

  @Option(
      names = "--handler-timeout",
      paramLabel = "DURATION",
      converter = HandlerTimeout.class,
      description = "when it counts as hanging and is ended (10m)")
  @Nullable Duration handlerTimeout;

  @Option(
      names = "--drain-timeout",
      paramLabel = "DURATION",
      defaultValue = "30s",
      converter = DrainTimeout.class,
      description = "how long messages may take to finish after Ctrl-C (30s)")
  Duration drainTimeout = Duration.ofSeconds(30);

  @Option(
      names = "--show-output",
      fallbackValue = "true",
      description = "pass on what the command prints, to standard error")
  boolean showOutput;

  static final class Concurrency extends NumberValue {
    Concurrency() {
      super(1, 10_000);
    }
  }

  static final class HandlerTimeout extends DurationValue {
    HandlerTimeout() {
      super(Duration.ofMillis(100), Duration.ofDays(1));
    }
  }

  static final class DrainTimeout extends DurationValue {
    DrainTimeout() {
      super(Duration.ZERO, Duration.ofDays(1));
    }
  }

  static final class Url implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      try {
        URI url = URI.create(text);
        boolean http =
            "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (http && url.getHost() != null) {
          return url;
        }
      } catch (IllegalArgumentException malformed) {
        throw refused(text);
      }
      throw refused(text);
    }

    private static BadValueException refused(String text) {
      return new BadValueException(
          "'" + text + "' is no URL to post to; accepted are http://HOST… and https://HOST…");
    }
  }
}
