package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.dlq.FilterOptions;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.operations.DeadLetterFilter;
import dev.contrail.operations.replay.Candidate;
import dev.contrail.operations.replay.Selections;
import dev.contrail.operations.replay.Standing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which dead letters something is done with: some by their ids, a group, or what a filter says. */
final class ChoiceOptions {
  @Parameters(paramLabel = "ID", arity = "0..*", description = "as contrail dlq ls shows it")
  private List<String> arguments = new ArrayList<>();

  @Option(names = "--id", paramLabel = "ID", description = "the same; may be repeated")
  private List<String> ids = new ArrayList<>();

  @Option(
      names = "--group",
      paramLabel = "FINGERPRINT",
      description = "those that died of the same, by their fingerprint")
  private @Nullable String group;

  @Option(
      names = "--all",
      fallbackValue = "true",
      description = "all there are, where nothing else says which")
  private boolean all;

  @Mixin private final FilterOptions filter = new FilterOptions();

  /**
   * Whether they are named, one by one.
   *
   * @throws CommandFailure when it is not clear which are meant
   */
  boolean isByIdOrRequired() {
    boolean byId = isById();
    boolean filtered = group != null || !filter.filter().equals(DeadLetterFilter.ALL);
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
    List<Candidate> found =
        selections.matching(filter.filter(), Optional.ofNullable(group), unreadable::add);
    unreadable.forEach(tools::say);
    if (found.isEmpty() && group != null) {
      throw CommandFailure.usage(
          "no dead letter"
              + filter.inWords()
              + " has the fingerprint "
              + group
              + "; contrail dlq ls --json shows them");
    }
    return new Choice<>(found.stream().map(as).toList(), inWords(), false, unreadable.size());
  }

  private String inWords() {
    return "all" + (group == null ? "" : " with the fingerprint " + group) + filter.inWords();
  }
}
