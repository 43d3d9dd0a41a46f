package dev.contrail.cli.dlq;

import dev.contrail.Durations;
import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.TimeValue;
import dev.contrail.event.Status;
import dev.contrail.operations.index.EntryFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which dead letters are meant, however it stands with them. */
@HelpGroup(heading = "Which dead letters", order = 10)
public final class TriageOptions {
  @Mixin private final FilterOptions common = new FilterOptions();

  @Mixin private final EndOption end;

  @Option(
      names = "--subject",
      paramLabel = "SUBJECT",
      converter = NatsNames.Filter.class,
      description = "only of messages to this subject; * and > as in NATS")
  private @Nullable String subject;

  @Option(
      names = "--exception",
      paramLabel = "CLASS",
      description =
          "only those that died of this exception: Inner, Outer.Inner or com.acme.Outer.Inner")
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

  public TriageOptions() {
    this(new EndOption.To());
  }

  private TriageOptions(EndOption end) {
    this.end = end;
  }

  /** For a command whose {@code --to} says something else. */
  public static TriageOptions withoutTo() {
    return new TriageOptions(new EndOption.Until());
  }

  /**
   * All that was asked for.
   *
   * @throws CommandFailure when it contradicts itself
   */
  public EntryFilter.Builder filter(Instant now) {
    if (since != null && from != null) {
      throw CommandFailure.usage("--since and --from both say where to begin; take one");
    }
    Instant begin = since != null ? now.minus(since) : from;
    Instant until = end.time();
    EntryFilter.Builder filter = EntryFilter.builder();
    common.addTo(filter);
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
    if (until != null) {
      if (begin != null && !begin.isBefore(until)) {
        throw CommandFailure.usage(
            end.name() + " " + until + " is not after the time to begin with, " + begin);
      }
      filter.to(until);
    }
    return filter;
  }

  /** Whether nothing was asked for. */
  public boolean isEmpty() {
    return common.isEmpty() && groups.isEmpty() && isWithoutDetails();
  }

  /** The groups that were asked for, where that is all beside stream, consumer and reason. */
  public List<String> groupsAlone() {
    return isWithoutDetails() ? groups : List.of();
  }

  private boolean isWithoutDetails() {
    return subject == null
        && exception == null
        && text == null
        && appVersion == null
        && since == null
        && from == null
        && end.time() == null;
  }

  /** Such as {@code with the fingerprint 3f9a on stream ORDERS}; empty when all are meant. */
  public String inWords() {
    return (groups.isEmpty() ? "" : " with the fingerprint " + String.join(" or ", groups))
        + commonInWords()
        + said(" to subject ", subject)
        + said(" that died of ", exception)
        + (text == null ? "" : " with the text '" + text + "'")
        + said(" of version ", appVersion)
        + (since == null ? "" : " of the last " + Durations.format(since))
        + said(" since ", from)
        + said(" before ", end.time());
  }

  /** The same, only by stream, consumer and reason. */
  public String commonInWords() {
    return common.inWords();
  }

  private static String said(String what, @Nullable Object value) {
    return value == null ? "" : what + value;
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
