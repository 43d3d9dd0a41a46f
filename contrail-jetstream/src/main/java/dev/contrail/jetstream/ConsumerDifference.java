package dev.contrail.jetstream;

import dev.contrail.Durations;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.ReplayPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Something about an existing consumer that is not as Contrail would have made it.
 *
 * @param rule the doctor's rule that it breaks
 * @param setting its name and its value on the server
 * @param meaning what follows from it
 * @param severity whether it breaks a promise
 * @param mend what the {@code nats} tool is to do with the consumer, such as {@code rm}
 */
record ConsumerDifference(
    Rule rule, String setting, String meaning, Severity severity, String mend) {
  private static final String MAKE_ANEW = "rm";
  private static final String RESUME = "resume";

  enum Severity {
    /** Worth a line in the log. */
    NOTE,
    /** Refused, unless the consumer may be updated. */
    REFUSED,
    /** Refused, and no update mends it: the consumer has to be made anew. */
    HOPELESS
  }

  /** All there are, the worst included. Pure. */
  static List<ConsumerDifference> between(
      Instant now, ConsumerConfiguration actual, ConsumerSettings wanted) {
    List<ConsumerDifference> found =
        inItself(now, actual, wanted.policy().retry().deliveryLimit(), wanted.maxAckPending());
    ackWait(actual, wanted, found);
    filters(actual, wanted, found);
    return found;
  }

  /** Those that can be told without knowing what the worker was asked for. Pure. */
  static List<ConsumerDifference> inItself(
      Instant now, ConsumerConfiguration actual, long deliveryLimit, long maxAckPending) {
    List<ConsumerDifference> found = new ArrayList<>();
    kind(actual, found);
    lifetime(actual, found);
    delivery(now, actual, found);
    limits(actual, deliveryLimit, maxAckPending, found);
    backOff(actual, found);
    return found;
  }

  /** The same as the doctor tells it. */
  Finding finding(String stream, String consumer) {
    return Finding.of(
            rule, stream, consumer, setting, List.of(NatsCommand.consumer(mend, stream, consumer)))
        .because(meaning);
  }

  private static void kind(ConsumerConfiguration actual, List<ConsumerDifference> found) {
    if (actual.getDeliverSubject() != null) {
      found.add(
          hopeless(
              Rule.CONSUMER_UNFIT,
              "it is a push consumer",
              "Contrail pulls, so that it can bound what it holds"));
    }
    if (actual.getAckPolicy() != AckPolicy.Explicit) {
      found.add(
          hopeless(
              Rule.ACKS_NOT_EXPLICIT,
              "ack policy is " + actual.getAckPolicy().toString(),
              "acknowledging one message would acknowledge others, or none at all"));
    }
    if (actual.isHeadersOnly()) {
      found.add(
          refused(
              Rule.CONSUMER_UNFIT,
              "headers_only is on",
              "handlers and dead letters would have no payload",
              "edit --no-headers-only"));
    }
    if (!priorityGroups(actual).isEmpty()) {
      found.add(
          new ConsumerDifference(
              Rule.CONSUMER_UNFIT,
              "it has the priority groups " + String.join(", ", priorityGroups(actual)),
              "the server refuses pulls that name none of them, as Contrail's do",
              Severity.REFUSED,
              MAKE_ANEW));
    }
  }

  private static void lifetime(ConsumerConfiguration actual, List<ConsumerDifference> found) {
    if (actual.isMemStorage()) {
      found.add(
          note(
              Rule.CONSUMER_FORGETS,
              "its state is kept in memory",
              "a restart of the server forgets what was acknowledged, and delivers it again"));
    }
    if (actual.getInactiveThreshold() != null && !actual.getInactiveThreshold().isZero()) {
      found.add(
          note(
              Rule.CONSUMER_FORGETS,
              "inactive threshold is " + Durations.format(actual.getInactiveThreshold()),
              "the server deletes the consumer when no worker pulls for that long"));
    }
  }

  private static void delivery(
      Instant now, ConsumerConfiguration actual, List<ConsumerDifference> found) {
    if (actual.getDeliverPolicy() != DeliverPolicy.All) {
      found.add(
          note(
              Rule.DELIVERS_LESS,
              "deliver policy is " + actual.getDeliverPolicy(),
              "what the stream held before that is never delivered"));
    }
    if (actual.getReplayPolicy() == ReplayPolicy.Original) {
      found.add(
          note(
              Rule.DELIVERS_LESS,
              "replay policy is " + actual.getReplayPolicy(),
              "messages come at the pace at which they were published"));
    }
    // Servers keep the time of a pause that is over.
    if (actual.getPauseUntil() != null && actual.getPauseUntil().toInstant().isAfter(now)) {
      found.add(
          note(
              Rule.DELIVERS_LESS,
              "it is paused until " + actual.getPauseUntil().toInstant(),
              "nothing is delivered before",
              RESUME));
    }
  }

  private static List<String> priorityGroups(ConsumerConfiguration actual) {
    return actual.getPriorityGroups() == null ? List.of() : actual.getPriorityGroups();
  }

  private static void limits(
      ConsumerConfiguration actual,
      long limit,
      long maxAckPending,
      List<ConsumerDifference> found) {
    long cap = actual.getMaxDeliver();
    if (cap > 0) {
      String setting = "MaxDeliver is " + cap;
      String unlimited = "edit --max-deliver=-1";
      found.add(
          cap <= limit
              ? refused(
                  Rule.MAX_DELIVER_AT_LIMIT,
                  setting,
                  "at or below the delivery limit of "
                      + limit
                      + " the server may strand a message before its dead letter is written",
                  unlimited)
              : note(
                  Rule.MAX_DELIVER_SET,
                  setting,
                  "a message that outlives it in an outage is stranded by the server without a"
                      + " dead letter; -1 leaves the limit to Contrail",
                  unlimited));
    }
    if (actual.getMaxAckPending() > 0 && actual.getMaxAckPending() < maxAckPending) {
      found.add(
          note(
              Rule.FEW_ACKS_PENDING,
              "MaxAckPending is " + actual.getMaxAckPending(),
              "so many messages waiting for their retry stop all healthy work; Contrail would set "
                  + maxAckPending,
              "edit --max-pending=" + maxAckPending));
    }
  }

  private static void backOff(ConsumerConfiguration actual, List<ConsumerDifference> found) {
    if (!actual.getBackoff().isEmpty()) {
      found.add(
          refused(
              Rule.BACKOFF_UNDER_WORKER,
              "BackOff is "
                  + actual.getBackoff().stream()
                      .map(Durations::format)
                      .collect(Collectors.joining(", ")),
              "it overrides AckWait and adds to every retry delay",
              // The server has put the first step in place of the AckWait that was meant.
              "edit --backoff=none --wait="
                  + NatsCommand.duration(ConsumerSettings.DEFAULT_ACK_WAIT)));
    }
  }

  private static void ackWait(
      ConsumerConfiguration actual, ConsumerSettings wanted, List<ConsumerDifference> found) {
    Duration ackWait = actual.getAckWait();
    wanted
        .ackWait()
        .filter(asked -> ackWait != null && !asked.equals(ackWait))
        .ifPresent(
            asked ->
                found.add(
                    note(
                        Rule.OTHER_ACK_WAIT,
                        "AckWait is " + Durations.format(ackWait),
                        "leases follow that and not the " + Durations.format(asked) + " asked for",
                        "edit --wait=" + NatsCommand.duration(asked))));
  }

  private static void filters(
      ConsumerConfiguration actual, ConsumerSettings wanted, List<ConsumerDifference> found) {
    List<String> has = actual.getFilterSubjects() == null ? List.of() : actual.getFilterSubjects();
    if (wanted.filters().isEmpty() && !has.isEmpty()) {
      found.add(
          note(
              Rule.DELIVERS_LESS,
              "it filters " + String.join(", ", has),
              "only that part of the stream is worked on"));
    }
    if (!wanted.filters().isEmpty()
        && !new HashSet<>(has).equals(new HashSet<>(wanted.filters()))) {
      found.add(
          refused(
              Rule.OTHER_FILTERS,
              has.isEmpty() ? "it has no filter" : "it filters " + String.join(", ", has),
              "not " + String.join(", ", wanted.filters()) + " as asked for",
              "edit " + NatsCommand.filters(wanted.filters())));
    }
  }

  private static ConsumerDifference note(Rule rule, String setting, String meaning) {
    return new ConsumerDifference(rule, setting, meaning, Severity.NOTE, MAKE_ANEW);
  }

  private static ConsumerDifference note(Rule rule, String setting, String meaning, String mend) {
    return new ConsumerDifference(rule, setting, meaning, Severity.NOTE, mend);
  }

  private static ConsumerDifference refused(
      Rule rule, String setting, String meaning, String mend) {
    return new ConsumerDifference(rule, setting, meaning, Severity.REFUSED, mend);
  }

  private static ConsumerDifference hopeless(Rule rule, String setting, String meaning) {
    return new ConsumerDifference(rule, setting, meaning, Severity.HOPELESS, MAKE_ANEW);
  }

  @Override
  public String toString() {
    return setting + " (" + meaning + ") " + rule.tag();
  }
}
