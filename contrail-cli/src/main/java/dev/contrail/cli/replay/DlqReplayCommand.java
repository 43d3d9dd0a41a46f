package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Yes;
import dev.contrail.cli.dlq.TriageOptions;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.operations.replay.Candidate;
import dev.contrail.operations.replay.Draft;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.Selections;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail dlq replay}: has messages that died processed after all. */
@Command(
    name = "replay",
    header = "Publish dead letters again, and follow what becomes of them",
    customSynopsis =
        "@|bold contrail dlq replay|@ (ID… | --group FINGERPRINT | FILTERS | --all) [OPTIONS]",
    description = {
      "Publishes copies of messages that died, for the consumer that gave up on them. The dead"
          + " letters stay; each says what became of its copy.",
      "The replay is stored as a plan: one that was stopped or killed is resumed with contrail dlq"
          + " plans resume, on any machine. Ctrl-C stops it between two messages."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq replay ORDERS.billing.ho77nadw1d.42",
      "  contrail dlq replay --stream ORDERS --reason rejected --dry-run",
      "  contrail dlq replay --exception TimeoutException --since 2h --rate 50/s",
      "  contrail dlq replay --group 3f9ac01d22b7e5a4 --canary 5 --rate 100/s --wait",
      "  contrail dlq replay ORDERS.billing.ho77nadw1d.42 --payload-file mended.json"
    })
final class DlqReplayCommand implements Callable<Integer> {
  private static final int MOST_SAID = 10;

  private final Tools tools;

  @Mixin private final ChoiceOptions choice = new ChoiceOptions(TriageOptions.withoutTo());
  @Mixin private final HowOptions how = new HowOptions();
  @Mixin private final Person person = new Person();
  @Mixin private final Yes yes = new Yes();

  @Option(
      names = "--dry-run",
      fallbackValue = "true",
      description = "show what would be published where, and do nothing")
  private boolean dryRun;

  @Option(
      names = "--payload-file",
      paramLabel = "FILE",
      description = "replay this payload in place of the original, which stays as it is")
  private @Nullable String payloadFile;

  @Option(
      names = "--payload-version",
      paramLabel = "N",
      converter = PayloadVersion.Value.class,
      description = "replay this version of what was edited, 0 for the original (the newest)")
  private @Nullable Integer payloadVersion;

  @Option(
      names = "--wait",
      fallbackValue = "true",
      description = "wait until all outcomes are known that can be")
  private boolean wait;

  @Option(
      names = "--force",
      fallbackValue = "true",
      description =
          "replay also those whose last replay has no known outcome, to consumers that are not run"
              + " by Contrail: these may process a message twice; and take a --payload-file that"
              + " holds [redacted]")
  private boolean force;

  DlqReplayCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() throws InterruptedException {
    boolean byId = choice.isByIdOrRequired();
    PlanOptions options = how.options(tools.storage().prefix());
    Optional<byte[]> payload = payload(byId);
    try (Session session = tools.sessions().get()) {
      Selections selections = tools.selections(session);
      Choice<Candidate> chosen = choice.candidates(tools, selections);
      List<Candidate> candidates =
          chosen.byId()
              ? chosen.chosen()
              : chosen.chosen().stream().filter(this::isWanted).toList();
      ReplayPlans plans = tools.plans(session);
      Draft draft = plans.draft(with(payload, candidates), options, force);
      sayBeforehand(draft, chosen);
      if (dryRun) {
        return show(draft, chosen);
      }
      if (draft.planned().isEmpty()) {
        return nothing(draft, chosen);
      }
      if (!yes.asked(tools.surroundings(), "Publish " + new DraftView(draft).inWords() + "?")) {
        tools.say("nothing was published");
        return ExitCode.FAILED;
      }
      if (payload.isPresent()) {
        DeadLetterId id = candidates.get(0).summary().id();
        tools.edits(session).edit(id, payload.get(), person.name());
        Candidate edited = selections.find(id).orElseThrow(() -> Ids.unknown(id));
        draft = plans.draft(List.of(edited), options, force);
        if (draft.planned().isEmpty()) {
          return nothing(draft, chosen);
        }
      }
      int code = carryOut(plans, draft, chosen, options);
      return isWhole(draft, chosen) ? code : ExitCode.FAILED;
    }
  }

  private Optional<byte[]> payload(boolean byId) {
    if (payloadVersion != null) {
      PayloadVersion.check(payloadVersion, byId, payloadFile != null);
    }
    if (payloadFile == null) {
      return Optional.empty();
    }
    if (!byId || choice.ids().size() != 1) {
      throw CommandFailure.usage("--payload-file is for one dead letter, which its id names");
    }
    return Optional.of(PayloadFile.read(tools.surroundings().folder(), payloadFile));
  }

  /** What a filter finds is what can be replayed of it; an id is meant, and told why not. */
  private boolean isWanted(Candidate candidate) {
    return candidate.state().status() == Status.OPEN
        || (force && candidate.state().isReplayUnderWay());
  }

  /** As they would be replayed, with what was asked for. */
  private List<Candidate> with(Optional<byte[]> payload, List<Candidate> candidates) {
    if (payloadVersion != null) {
      int version = payloadVersion;
      return candidates.stream().map(it -> PayloadVersion.of(it, version)).toList();
    }
    if (payload.isEmpty()) {
      return candidates;
    }
    candidates.forEach(
        it -> {
          if (it.summary().redacted() && !force) {
            Marks.refuse(it.summary().id(), payload.get());
          }
        });
    return candidates.stream().map(it -> it.edited(payload.get().length)).toList();
  }

  private void sayBeforehand(Draft draft, Choice<Candidate> chosen) {
    draft.leftOut().stream()
        .limit(MOST_SAID)
        .forEach(it -> tools.say(it.id() + " is left out: " + it.why()));
    if (draft.leftOut().size() > MOST_SAID) {
      tools.say((draft.leftOut().size() - MOST_SAID) + " more are left out");
    }
    draft.warnings().forEach(tools::say);
    int others = chosen.chosen().size() - draft.planned().size() - draft.leftOut().size();
    if (others > 0) {
      tools.say(others + (others == 1 ? " other is" : " others are") + " not open");
    }
  }

  private int show(Draft draft, Choice<Candidate> chosen) {
    DraftView view = new DraftView(draft);
    if (tools.wantsJson()) {
      tools.answerJson(view.whole());
    } else {
      view.print(tools);
    }
    return isWhole(draft, chosen) ? ExitCode.FINE : ExitCode.FAILED;
  }

  private int nothing(Draft draft, Choice<Candidate> chosen) {
    if (tools.wantsJson()) {
      return show(draft, chosen);
    }
    tools.answer(
        draft.leftOut().isEmpty()
            ? "Nothing to replay: no open dead letter among " + chosen.inWords() + "."
            : "Nothing to replay: all that was chosen is left out.");
    return isWhole(draft, chosen) ? ExitCode.FINE : ExitCode.FAILED;
  }

  private static boolean isWhole(Draft draft, Choice<Candidate> chosen) {
    return draft.leftOut().isEmpty() && chosen.unreadable() == 0;
  }

  private int carryOut(
      ReplayPlans plans, Draft draft, Choice<Candidate> chosen, PlanOptions options)
      throws InterruptedException {
    PlanHead plan =
        plans.create(
            draft.planned().stream().map(Draft.Planned::entry).toList(),
            chosen.inWords(),
            options,
            person.name());
    tools.say("plan " + plan.plan() + ", Ctrl-C stops it between two messages");
    return new PlanExecution(tools, plans, plan, person.name()).begin(force, wait);
  }
}
