package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.dlq.StateOptions;
import dev.contrail.cli.dlq.TriageOptions;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.replay.Candidate;
import dev.contrail.operations.replay.Selections;
import dev.contrail.operations.replay.Standing;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which dead letters something is done with: some by their ids, a group, or what a filter says. */
@HelpGroup(heading = "Which dead letters", order = 10)
final class ChoiceOptions {
  private final Clock clock = Clock.systemUTC();

  @Parameters(paramLabel = "ID", arity = "0..*", description = "as contrail dlq ls shows it")
  private List<String> arguments = new ArrayList<>();

  @Option(names = "--id", paramLabel = "ID", description = "the same; may be repeated")
  private List<String> ids = new ArrayList<>();

  @Option(
      names = "--all",
      fallbackValue = "true",
      description = "all there are, where nothing else says which")
  private boolean all;

  @Mixin private final TriageOptions triage;
  @Mixin private final StateOptions state = new StateOptions();

  ChoiceOptions() {
    this(new TriageOptions());
  }

  ChoiceOptions(TriageOptions triage) {
    this.triage = triage;
  }

  /**
   * Whether they are named, one by one.
   *
   * @throws CommandFailure when it is not clear which are meant
   */
  boolean isByIdOrRequired() {
    boolean byId = isById();
    boolean filtered = !triage.isEmpty() || !state.states().isEmpty();
    filter(); // Contradictions are told before anything is asked of the server.
    if (byId && (filtered || all)) {
      throw CommandFailure.usage("an id names one dead letter; --group, --all and filters do not");
    }
    if (!byId && !filtered && !all) {
      throw CommandFailure.usage(
          "which dead letters? Accepted are ids, --group, filters such as --stream, or --all");
    }
    return byId;
  }

  boolean isById() {
    return !arguments.isEmpty() || !ids.isEmpty();
  }

  /**
   * The ids that were named, each once.
   *
   * @throws CommandFailure when one is none
   */
  List<DeadLetterId> ids() {
    Set<DeadLetterId> parsed = new LinkedHashSet<>();
    arguments.forEach(text -> parsed.add(Ids.parse(text)));
    ids.forEach(text -> parsed.add(Ids.parse(text)));
    return List.copyOf(parsed);
  }

  /** Candidates for a replay. */
  Choice<Candidate> candidates(Tools tools, Selections selections) throws InterruptedException {
    return isById() ? named(selections::find) : matching(tools, selections, Function.identity());
  }

  /** Those that something else is decided on. */
  Choice<Standing> standings(Tools tools, Selections selections) throws InterruptedException {
    return isById()
        ? named(selections::standing)
        : matching(tools, selections, it -> new Standing(it.summary(), it.state()));
  }

  private <T> Choice<T> named(Function<DeadLetterId, Optional<T>> find) {
    List<T> found = new ArrayList<>();
    // All are looked up before anything is done: one that is mistyped stops the rest.
    for (DeadLetterId id : ids()) {
      try {
        found.add(find.apply(id).orElseThrow(() -> Ids.unknown(id)));
      } catch (UnreadableEvidenceException e) {
        throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
      }
    }
    return new Choice<>(found, Choice.inWords(ids()), true, 0);
  }

  private <T> Choice<T> matching(Tools tools, Selections selections, Function<Candidate, T> as)
      throws InterruptedException {
    List<String> unreadable = new ArrayList<>();
    List<Candidate> found = selections.matching(filter(), unreadable::add);
    unreadable.forEach(tools::say);
    List<String> groups = state.states().isEmpty() ? triage.groupsAlone() : List.of();
    if (found.isEmpty() && !groups.isEmpty()) {
      throw CommandFailure.usage(
          "no dead letter"
              + triage.commonInWords()
              + " has the fingerprint "
              + String.join(" or ", groups)
              + "; contrail dlq groups shows them");
    }
    return new Choice<>(
        found.stream().map(as).toList(),
        "all" + triage.inWords() + state.inWords(),
        false,
        unreadable.size());
  }

  private EntryFilter filter() {
    EntryFilter.Builder filter = triage.filter(clock.instant());
    state.states().forEach(filter::state);
    return filter.build();
  }
}
