package dev.contrail.event;

/** What an event says. */
public sealed interface Fact permits Step, ReplayOutcome, Fact.Claim, Fact.Skipped, Fact.Note {
  /** As it is stored and shown, such as {@code discarded}. */
  String kind();

  /**
   * Who has a turn of a replay. Workers and those who replay claim the first one alike, so that
   * nobody says that a copy was never published while it is run.
   */
  sealed interface Claim extends Fact {}

  /** Which copy of a replay may run, and for whom. */
  record Run(CopyPlace copy, String consumer) implements Claim {
    @Override
    public String kind() {
      return "run";
    }
  }

  /**
   * No copy of the replay is ever run: it is given up, and will be told to have failed.
   *
   * @param reason why
   */
  record Barred(String reason) implements Claim {
    @Override
    public String kind() {
      return "barred";
    }
  }

  /**
   * Whoever took the replay over is about to publish a copy for consumers that claim nothing. The
   * next turn is for a worker that meets one all the same.
   */
  record Resent() implements Claim {
    @Override
    public String kind() {
      return "resent";
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
