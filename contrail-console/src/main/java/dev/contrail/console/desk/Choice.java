package dev.contrail.console.desk;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.operations.view.EntryQuery;
import java.util.List;

/**
 * Which dead letters somebody means: some by their ids, or else all that a query finds.
 *
 * @param ids none where the query says which
 */
public record Choice(List<DeadLetterId> ids, EntryQuery query) {
  private static final int MOST_IN_WORDS = 3;

  public Choice {
    ids = List.copyOf(ids);
  }

  public boolean isById() {
    return !ids.isEmpty();
  }

  /** For the plan, and for people. */
  public String inWords() {
    if (!isById()) {
      return query.inWords();
    }
    List<String> first = ids.stream().limit(MOST_IN_WORDS).map(DeadLetterId::toString).toList();
    int more = ids.size() - first.size();
    return String.join(", ", first) + (more == 0 ? "" : " and " + more + " more");
  }
}
