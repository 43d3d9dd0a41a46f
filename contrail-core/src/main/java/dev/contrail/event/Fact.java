package dev.contrail.event;

/** What an event says. */
public sealed interface Fact permits Step, ReplayOutcome, Fact.Run, Fact.Skipped, Fact.Note {
  /** As it is stored and shown, such as {@code discarded}. */
  String kind();

  /** Which copy of a replay may run, and for whom. */
  record Run(CopyPlace copy, String consumer) implements Fact {
    @Override
    public String kind() {
      return "run";
    }
  }

  /**
   * A copy that this consumer acknowledged without running it: it was meant for another consumer,
   * or the replay had its outcome from another copy.
   */
  record Skipped(CopyPlace copy, String consumer) implements Fact {
    @Override
    public String kind() {
      return "skipped";
    }
  }

  /** What somebody wrote down. */
  record Note(String text) implements Fact {
    @Override
    public String kind() {
      return "note";
    }
  }
}
