package dev.contrail.cli.replay;

import dev.contrail.Durations;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Yes;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.operations.replay.Standing;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail dlq purge}: deletes dead letters for good. */
@Command(
    name = "purge",
    header = "Delete old dead letters for good",
    customSynopsis =
        "@|bold contrail dlq purge|@ --older-than DURATION [ID… | --group FINGERPRINT | FILTERS]"
            + " [OPTIONS]",
    description = {
      "Deletes dead letters that died longer ago than given and are closed: resolved, returned,"
          + " completed or discarded. Payload, headers and edited payloads are gone then; what was"
          + " decided stays on record.",
      "Open ones are deleted only with --force."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq purge --older-than 30d",
      "  contrail dlq purge --older-than 90d --stream ORDERS --yes"
    })
final class DlqPurgeCommand implements Callable<Integer> {
  private final Tools tools;
  private final Clock clock = Clock.systemUTC();

  @Mixin private final ChoiceOptions choice = new ChoiceOptions();
  @Mixin private final Person person = new Person();
  @Mixin private final Yes yes = new Yes();

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      required = true,
      converter = AgeValue.class,
      description = "only what died longer ago, such as 30d or 12h")
  @SuppressWarnings("NullAway.Init")
  private Duration olderThan;

  @Option(
      names = "--force",
      fallbackValue = "true",
      description = "delete also open ones: what they hold cannot be replayed any more")
  private boolean force;

  DlqPurgeCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (choice.isById()) {
      choice.isByIdOrRequired();
    }
    try (Session session = tools.sessions().get()) {
      Decisions decisions = tools.decisions(session, person.name(), force);
      Choice<Standing> chosen = choice.standings(tools, tools.selections(session));
      Instant before = clock.instant().minus(olderThan);
      List<Standing> wanted =
          chosen.byId()
              ? chosen.chosen()
              : chosen.chosen().stream()
                  .filter(it -> isOld(it, before) && mayGo(decisions, it.state().status()))
                  .toList();
      if (!wanted.isEmpty() && !yes.asked(tools.surroundings(), question(wanted, chosen))) {
        tools.say("nothing was deleted");
        return ExitCode.FAILED;
      }
      return new DecisionRun(tools, "purging", "purged")
          .run(chosen, wanted, it -> purge(decisions, it, before));
    }
  }

  /** One that is purged and still there: its purge was killed, and this one ends it. */
  private static boolean mayGo(Decisions decisions, Status status) {
    return status == Status.PURGED || decisions.isLegal(status, Step.Kind.PURGED);
  }

  private static boolean isOld(Standing one, Instant before) {
    return one.summary().deadAt().isBefore(before);
  }

  private Optional<String> purge(Decisions decisions, Standing one, Instant before) {
    return isOld(one, before)
        ? decisions.purge(one.summary())
        : Optional.of(
            "it died at "
                + one.summary().deadAt()
                + ", not longer than "
                + Durations.format(olderThan)
                + " ago");
  }

  private String question(List<Standing> wanted, Choice<Standing> chosen) {
    long open = wanted.stream().filter(it -> it.state().status().isUnsettled()).count();
    return "Delete "
        + DecisionRun.count(wanted.size())
        + " for good, "
        + chosen.inWords()
        + " older than "
        + Durations.format(olderThan)
        + (open == 0 ? "" : ", " + open + " of them open")
        + "?";
  }

  static final class AgeValue extends DurationValue {
    AgeValue() {
      super(Duration.ZERO, Duration.ofDays(36_500));
    }
  }
}
