package dev.contrail.simulation.model;

import dev.contrail.simulation.model.ConsumerSteps.AcknowledgeMadeUp;
import dev.contrail.simulation.model.ConsumerSteps.CreateConsumer;
import dev.contrail.simulation.model.MessageSteps.DeleteMessage;
import dev.contrail.simulation.model.MessageSteps.Publish;
import dev.contrail.simulation.model.StreamSettings.Retention;
import dev.contrail.simulation.model.StreamSettings.Storage;
import dev.contrail.simulation.model.StreamSteps.CreateStream;
import dev.contrail.simulation.model.StreamSteps.PurgeStream;
import java.util.Set;
import java.util.TreeSet;

/** What the server cannot be held to at this point of a script; both sides then leave it out. */
final class Certainty {
  private final ModelVersion version;
  private boolean publishedInBeat;
  private boolean countsWell = true;
  private boolean knowsSubjects = true;
  private boolean countsSubjects = true;
  private boolean interest;
  private boolean purgedOld;
  private final Set<String> limited = new TreeSet<>();
  private final Set<String> lookedAhead = new TreeSet<>();
  private final Set<String> filtered = new TreeSet<>();

  Certainty(ModelVersion version) {
    this.version = version;
  }

  void step(Step step) {
    if (step instanceof Publish) {
      publishedInBeat = true;
    }
    if (step instanceof CreateConsumer create && !create.settings().filters().isEmpty()) {
      filtered.add(create.settings().name());
    }
    if (step instanceof CreateConsumer create && create.settings().maxDeliver() > 0) {
      limited.add(create.settings().name());
    }
    if (step instanceof CreateStream create && create.settings().name().equals("A")) {
      interest |= create.settings().retention() == Retention.INTEREST;
    }
    if (step instanceof PurgeStream purge) {
      boolean old = version == ModelVersion.V2_9_10;
      purgedOld |= old;
      countsSubjects &= !old;
      knowsSubjects &= !old;
      countsWell &= !old && purge.purge().filter().isEmpty();
    }
    boolean removesOtherwise =
        step instanceof DeleteMessage
            || step instanceof AcknowledgeMadeUp
            || (step instanceof CreateStream create && removesByItself(create.settings()));
    if (removesOtherwise && version == ModelVersion.V2_9_10) {
      countsWell = false;
    }
    boolean removesInside =
        step instanceof DeleteMessage
            || (step instanceof CreateStream create
                && create.settings().storage() == Storage.FILE
                && create.settings().retention() != Retention.LIMITS);
    if (removesInside && version == ModelVersion.V2_9_10) {
      knowsSubjects = false;
    }
  }

  private static boolean removesByItself(StreamSettings settings) {
    return settings.retention() == Retention.INTEREST
        || settings.maxMessages() > 0
        || settings.maxMessagesPerSubject() > 0
        || !settings.maxAge().isZero();
  }

  void advance() {
    publishedInBeat = false;
  }

  /**
   * Whether a consumer knows exactly up to where it looked. New servers let consumers that find
   * nothing look ahead or not, as it suits them; those with filters and those of interest streams
   * all the time. Old servers move consumers in a purge at the next look, each store in its way.
   */
  boolean knowsPosition(String consumer) {
    return version == ModelVersion.V2_9_10
        ? !purgedOld
        : (!interest && !filtered.contains(consumer) && !lookedAhead.contains(consumer));
  }

  void pulled(String consumer, int deliveries, int batch) {
    if (deliveries < batch) {
      lookedAhead.add(consumer);
    }
  }

  /** With a limit of deliveries, what was given up may or may not count as redelivered. */
  String redelivered(String consumer, long redelivered) {
    boolean known = version == ModelVersion.V2_9_10 ? !purgedOld : !limited.contains(consumer);
    return known ? Long.toString(redelivered) : "?";
  }

  /** The ack floor says nothing once messages were given up, or where the position is unknown. */
  String floor(String consumer, long floorConsumer, long floorStream) {
    return limited.contains(consumer) || !knowsPosition(consumer)
        ? "?"
        : floorConsumer + "/" + floorStream;
  }

  String position(String consumer, long sequence) {
    return knowsPosition(consumer) ? Long.toString(sequence) : "?";
  }

  /** Old servers count subjects that were purged. */
  String subjects(Object subjects) {
    return countsSubjects ? subjects.toString() : "?";
  }

  /**
   * Whether the last message of a subject can be relied on: the file store of old servers may take
   * a subject for empty when its last message was removed and earlier ones were not.
   */
  boolean knowsSubjects() {
    return knowsSubjects;
  }

  /** Old servers act on acks and NAKs of what they never delivered. */
  boolean takesAnyAck() {
    return version == ModelVersion.V2_9_10;
  }

  /**
   * How many messages wait for a consumer. Servers count what is published a moment later, and old
   * ones do not always notice what else happens to messages than acks.
   */
  String pending(long pending) {
    return publishedInBeat || !countsWell ? "?" : Long.toString(pending);
  }
}
