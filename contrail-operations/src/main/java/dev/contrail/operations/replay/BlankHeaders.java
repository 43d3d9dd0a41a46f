package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.operations.DeadLetters;
import dev.contrail.redaction.Blanks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which headers the copies of a draft will lack, since nobody stored what was in them. */
final class BlankHeaders {
  private final DeadLetters deadLetters;
  private final Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  private int copies;

  BlankHeaders(DeadLetters deadLetters) {
    this.deadLetters = deadLetters;
  }

  /** Looks at one that is to be replayed. Only what was redacted is read. */
  void look(DeadLetterSummary summary) {
    if (summary.redacted()) {
      List<String> blank = blank(summary.id());
      names.addAll(blank);
      copies += blank.isEmpty() ? 0 : 1;
    }
  }

  private List<String> blank(DeadLetterId id) {
    try {
      return deadLetters.find(id).map(Blanks::headers).orElse(List.of());
    } catch (UnreadableEvidenceException e) {
      // Whoever carries out the plan says so, and leaves it out.
      return List.of();
    }
  }

  Optional<String> warning() {
    return copies == 0
        ? Optional.empty()
        : Optional.of(
            "Headers that were blanked out before they were stored are left out of "
                + (copies == 1 ? "1 copy" : copies + " copies")
                + ": "
                + String.join(", ", names)
                + ".");
  }
}
