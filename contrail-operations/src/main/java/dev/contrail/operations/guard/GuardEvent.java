package dev.contrail.operations.guard;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.stranded.GuardedMessage;
import java.time.Duration;
import java.util.List;

/** Something that a guard did, or found, or chose not to do. */
public sealed interface GuardEvent {
  /** What happened in one word, such as {@code buried}; does not change. */
  String kind();

  /** What happened, for people to read. */
  String sentence();

  /**
   * It begins.
   *
   * @param watched the streams that it looks at, as there are now
   * @param releasable those of them that it may take messages from
   */
  record Started(List<String> watched, List<String> releasable) implements GuardEvent {
    @Override
    public String kind() {
      return "started";
    }

    @Override
    public String sentence() {
      return "Looks at " + some(watched) + "; may take messages from " + some(releasable) + ".";
    }

    private static String some(List<String> streams) {
      return streams.isEmpty() ? "no stream" : String.join(", ", streams);
    }
  }

  /** It leads from now on. */
  record Leading() implements GuardEvent {
    @Override
    public String kind() {
      return "leading";
    }

    @Override
    public String sentence() {
      return "This guard leads.";
    }
  }

  /** It has led, and does so no more. */
  record LostLead() implements GuardEvent {
    @Override
    public String kind() {
      return "lost-lead";
    }

    @Override
    public String sentence() {
      return "This guard leads no more.";
    }
  }

  /**
   * Another leads, and this one waits.
   *
   * @param leader who, for people to read
   */
  record LedByOther(String leader) implements GuardEvent {
    @Override
    public String kind() {
      return "waiting-for-lead";
    }

    @Override
    public String sentence() {
      return "Another guard leads (" + leader + "); this one waits.";
    }
  }

  /**
   * The message has a dead letter, which it had not before.
   *
   * @param copied false where the message was gone before it could be copied
   */
  record Buried(GuardedMessage message, DeadLetterId letter, Reason reason, boolean copied)
      implements GuardEvent {
    @Override
    public String kind() {
      return "buried";
    }

    @Override
    public String sentence() {
      return "Dead-lettered "
          + message
          + " ("
          + reason.text()
          + (copied ? "" : ", without its payload: it was gone")
          + ") as "
          + letter
          + ".";
    }
  }

  /** The message would get a dead letter, if this were no dry run. */
  record WouldBury(GuardedMessage message, Reason reason) implements GuardEvent {
    @Override
    public String kind() {
      return "would-bury";
    }

    @Override
    public String sentence() {
      return "Would dead-letter " + message + " (" + reason.text() + ").";
    }
  }

  /** The message is taken from its stream, or acknowledged for its consumer. */
  record Released(GuardedMessage message, HowReleased how) implements GuardEvent {
    @Override
    public String kind() {
      return "released";
    }

    @Override
    public String sentence() {
      return "Released " + message + ": " + how.text() + ".";
    }
  }

  /**
   * The message could be released, and is not.
   *
   * @param allowed whether it may be, and this is a dry run
   */
  record WouldRelease(GuardedMessage message, HowReleased how, boolean allowed)
      implements GuardEvent {
    @Override
    public String kind() {
      return "would-release";
    }

    @Override
    public String sentence() {
      return "Would release "
          + message
          + (allowed ? "." : ", if it might (--release " + message.stream() + " --from-start).");
    }
  }

  /** The message may be released later; until then it stays where it is. */
  record Waiting(GuardedMessage message, String why) implements GuardEvent {
    @Override
    public String kind() {
      return "waiting";
    }

    @Override
    public String sentence() {
      return "Waits to release " + message + ": " + why + ".";
    }
  }

  /** The message stays where it is. */
  record LeftAlone(GuardedMessage message, String why) implements GuardEvent {
    @Override
    public String kind() {
      return "left-alone";
    }

    @Override
    public String sentence() {
      return "Left alone " + message + ": " + why + ".";
    }
  }

  /**
   * Advisories tell of a stream of that name in another JetStream domain, and are left to the guard
   * there. Said once of each stream and domain.
   */
  record OtherDomain(String stream, String domain) implements GuardEvent {
    @Override
    public String kind() {
      return "other-domain";
    }

    @Override
    public String sentence() {
      return "Advisories of stream "
          + stream
          + " in the JetStream domain "
          + domain
          + " are left to the guard there.";
    }
  }

  /**
   * All streams were looked at for what advisories missed.
   *
   * @param found how many messages were stranded for certain
   * @param suspected how many more there may be
   */
  record Swept(int streams, long found, long suspected, Duration took) implements GuardEvent {
    @Override
    public String kind() {
      return "swept";
    }

    @Override
    public String sentence() {
      return "Swept "
          + streams
          + (streams == 1 ? " stream: " : " streams: ")
          + found
          + " stranded"
          + (suspected > 0 ? ", " + suspected + " suspected" : "")
          + ".";
    }
  }

  /** Something failed, and is tried again. */
  record Trouble(String sentence) implements GuardEvent {
    @Override
    public String kind() {
      return "trouble";
    }
  }
}
