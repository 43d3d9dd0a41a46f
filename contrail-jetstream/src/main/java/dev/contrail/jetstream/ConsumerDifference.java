package dev.contrail.jetstream;

import dev.contrail.Durations;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.ReplayPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Something about an existing consumer that is not as Contrail would have made it.
 *
 * @param setting its name and its value on the server
 * @param meaning what follows from it
 * @param severity whether it breaks a promise
 */
record ConsumerDifference(String setting, String meaning, Severity severity) {
  enum Severity {
    /** Worth a line in the log. */
    NOTE,
    /** Refused, unless the consumer may be updated. */
    REFUSED,
    /** Refused, and no update mends it: the consumer has to be made anew. */
    HOPELESS
  }

  /** All there are, the worst included. Pure. */
  static List<ConsumerDifference> between(ConsumerConfiguration actual, ConsumerSettings wanted) {
    List<ConsumerDifference> found = new ArrayList<>();
    kind(actual, found);
    delivery(actual, found);
    limits(actual, wanted, found);
    waits(actual, wanted, found);
    filters(actual, wanted, found);
    return found;
  }

  private static void kind(ConsumerConfiguration actual, List<ConsumerDifference> found) {
    if (actual.getDeliverSubject() != null) {
      found.add(
          hopeless("it is a push consumer", "Contrail pulls, so that it can bound what it holds"));
    }
    if (actual.getAckPolicy() != AckPolicy.Explicit) {
      found.add(
          hopeless(
              "ack policy is " + actual.getAckPolicy().toString(),
              "acknowledging one message would acknowledge others, or none at all"));
    }
    if (actual.isHeadersOnly()) {
      found.add(refused("headers_only is on", "handlers and dead letters would have no payload"));
    }
    if (!priorityGroups(actual).isEmpty()) {
      found.add(
          refused(
              "it has the priority groups " + String.join(", ", priorityGroups(actual)),
              "the server refuses pulls that name none of them, as Contrail's do"));
    }
    if (actual.isMemStorage()) {
      found.add(
          note(
              "its state is kept in memory",
              "a restart of the server forgets what was acknowledged, and delivers it again"));
    }
    if (actual.getInactiveThreshold() != null && !actual.getInactiveThreshold().isZero()) {
      found.add(
          note(
              "inactive threshold is " + Durations.format(actual.getInactiveThreshold()),
              "the server deletes the consumer when no worker pulls for that long"));
    }
  }

  private static void delivery(ConsumerConfiguration actual, List<ConsumerDifference> found) {
    if (actual.getDeliverPolicy() != DeliverPolicy.All) {
      found.add(
          note(
              "deliver policy is " + actual.getDeliverPolicy(),
              "what the stream held before that is never delivered"));
    }
    if (actual.getReplayPolicy() == ReplayPolicy.Original) {
      found.add(
          note(
              "replay policy is " + actual.getReplayPolicy(),
              "messages come at the pace at which they were published"));
    }
    if (actual.getPauseUntil() != null) {
      found.add(
          note(
              "it is paused until " + actual.getPauseUntil().toInstant(),
              "nothing is delivered before"));
    }
  }

  private static List<String> priorityGroups(ConsumerConfiguration actual) {
    return actual.getPriorityGroups() == null ? List.of() : actual.getPriorityGroups();
  }

  private static void limits(
      ConsumerConfiguration actual, ConsumerSettings wanted, List<ConsumerDifference> found) {
    long limit = wanted.policy().retry().deliveryLimit();
    long cap = actual.getMaxDeliver();
    if (cap > 0) {
      String setting = "MaxDeliver is " + cap;
      found.add(
          cap <= limit
              ? refused(
                  setting,
                  "at or below the delivery limit of "
                      + limit
                      + " the server may strand a message before its dead letter is written")
              : note(
                  setting,
                  "a message that outlives it in an outage is stranded by the server without a"
                      + " dead letter; -1 leaves the limit to Contrail"));
    }
    if (actual.getMaxAckPending() > 0 && actual.getMaxAckPending() < wanted.maxAckPending()) {
      found.add(
          note(
              "MaxAckPending is " + actual.getMaxAckPending(),
              "so many messages waiting for their retry stop all healthy work; Contrail would set "
                  + wanted.maxAckPending()));
    }
  }

  private static void waits(
      ConsumerConfiguration actual, ConsumerSettings wanted, List<ConsumerDifference> found) {
    if (!actual.getBackoff().isEmpty()) {
      found.add(
          refused(
              "BackOff is "
                  + actual.getBackoff().stream()
                      .map(Durations::format)
                      .collect(Collectors.joining(", ")),
              "it overrides AckWait and adds to every retry delay"));
    }
    Duration ackWait = actual.getAckWait();
    wanted
        .ackWait()
        .filter(asked -> ackWait != null && !asked.equals(ackWait))
        .ifPresent(
            asked ->
                found.add(
                    note(
                        "AckWait is " + Durations.format(ackWait),
                        "leases follow that and not the "
                            + Durations.format(asked)
                            + " asked for")));
  }

  private static void filters(
      ConsumerConfiguration actual, ConsumerSettings wanted, List<ConsumerDifference> found) {
    List<String> has = actual.getFilterSubjects() == null ? List.of() : actual.getFilterSubjects();
    if (wanted.filters().isEmpty() && !has.isEmpty()) {
      found.add(
          note(
              "it filters " + String.join(", ", has), "only that part of the stream is worked on"));
    }
    if (!wanted.filters().isEmpty()
        && !new HashSet<>(has).equals(new HashSet<>(wanted.filters()))) {
      found.add(
          refused(
              has.isEmpty() ? "it has no filter" : "it filters " + String.join(", ", has),
              "not " + String.join(", ", wanted.filters()) + " as asked for"));
    }
  }

  private static ConsumerDifference note(String setting, String meaning) {
    return new ConsumerDifference(setting, meaning, Severity.NOTE);
  }

  private static ConsumerDifference refused(String setting, String meaning) {
    return new ConsumerDifference(setting, meaning, Severity.REFUSED);
  }

  private static ConsumerDifference hopeless(String setting, String meaning) {
    return new ConsumerDifference(setting, meaning, Severity.HOPELESS);
  }

  @Override
  public String toString() {
    return setting + " (" + meaning + ")";
  }
}
