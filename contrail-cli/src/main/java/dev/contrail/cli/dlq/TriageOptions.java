package dev.contrail.cli.dlq;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.TimeValue;
import dev.contrail.event.Status;
import dev.contrail.operations.DeadLetterFilter;
import dev.contrail.operations.index.EntryFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Which dead letters are meant, beyond {@link FilterOptions}. */
public final class TriageOptions {
  @Option(
      names = "--subject",
      paramLabel = "SUBJECT",
      converter = NatsNames.Filter.class,
      description = "only of messages to this subject; * and > as in NATS")
  private @Nullable String subject;

  @Option(
      names = "--exception",
      paramLabel = "CLASS",
      description = "only those that died of this exception, with or without its package")
  private @Nullable String exception;

  @Option(
      names = {"--group", "--fingerprint"},
      paramLabel = "FINGERPRINT",
      split = ",",
      description = "only of this group, as contrail dlq groups shows it; repeatable")
  private List<String> groups = new ArrayList<>();

  @Option(
      names = "--text",
      paramLabel = "TEXT",
      description = "only those with this text in the exception's message")
  private @Nullable String text;

  @Option(
      names = "--app-version",
      paramLabel = "VERSION",
      description = "only those that this version of the application failed on")
  private @Nullable String appVersion;

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      converter = Since.class,
      description = "only those that died at most so long ago, such as 2h")
  private @Nullable Duration since;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = TimeValue.class,
      description = "only those that died at this time or later, such as 2026-05-04T12:30 (UTC)")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = TimeValue.class,
      description = "only those that died before this time")
  private @Nullable Instant to;

  /**
   * All that was asked for.
   *
   * @throws CommandFailure when it contradicts itself
   */
  public EntryFilter.Builder filter(DeadLetterFilter common, Instant now) {
    if (since != null && from != null) {
      throw CommandFailure.usage("--since and --from both say where to begin; take one");
    }
    Instant begin = since != null ? now.minus(since) : from;
    if (begin != null && to != null && !begin.isBefore(to)) {
      throw CommandFailure.usage("--to " + to + " is not after the time to begin with, " + begin);
    }
    EntryFilter.Builder filter = EntryFilter.builder();
    common.stream().ifPresent(filter::stream);
    common.consumer().ifPresent(filter::consumer);
    common.reason().ifPresent(filter::reason);
    groups.forEach(filter::fingerprint);
    if (subject != null) {
      filter.subject(subject);
    }
    if (exception != null) {
      filter.exceptionClass(exception);
    }
    if (text != null) {
      filter.text(text);
    }
    if (appVersion != null) {
      filter.appVersion(appVersion);
    }
    if (begin != null) {
      filter.from(begin);
    }
    if (to != null) {
      filter.to(to);
    }
    return filter;
  }

  /** Whether nothing was asked for. */
  boolean isEmpty() {
    return groups.isEmpty()
        && subject == null
        && exception == null
        && text == null
        && appVersion == null
        && since == null
        && from == null
        && to == null;
  }

  static final class Since extends DurationValue {
    Since() {
      super(Duration.ofMillis(1), Duration.ofDays(36_500));
    }
  }

  /** How it stands with a dead letter. */
  static final class StateValue implements ITypeConverter<Status> {
    @Override
    public Status convert(String text) {
      return Status.parse(text)
          .orElseThrow(
              () ->
                  new BadValueException(
                      "'"
                          + text
                          + "' is no state; accepted are "
                          + Arrays.stream(Status.values())
                              .map(Status::text)
                              .collect(Collectors.joining(", "))));
    }
  }
}
