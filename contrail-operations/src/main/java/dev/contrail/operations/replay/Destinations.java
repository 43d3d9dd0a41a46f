package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.SubjectPattern;
import dev.contrail.plan.Outlook;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out where copies go and who gets them. Asks the server for each stream, and again after a
 * while: a slow replay outlives consumers.
 */
final class Destinations {
  private static final Duration WHILE = Duration.ofSeconds(5);

  /** What only a worker of Contrail finds a message dead for. */
  private static final Set<Reason> BY_WORKERS =
      EnumSet.of(Reason.DELIVERY_LIMIT, Reason.UNDECODABLE, Reason.REJECTED, Reason.EXPIRING);

  private final ServerFacts facts;
  private final Optional<String> to;
  private final Map<String, Optional<StreamConfiguration>> streams = new HashMap<>();
  private final Map<String, List<ConsumerInfo>> consumers = new HashMap<>();
  private final Map<String, Boolean> ledgers = new HashMap<>();
  private Optional<Optional<String>> streamOfTo = Optional.empty();
  private Moment asked;

  /**
   * For copies that go where their originals were, or all to one subject.
   *
   * @param to that subject
   */
  Destinations(ServerFacts facts, Optional<String> to) {
    this(facts, to, Moment.now());
  }

  Destinations(ServerFacts facts, Optional<String> to, Moment now) {
    this.facts = facts;
    this.to = to;
    this.asked = now;
  }

  /** Cannot be replayed, for a reason. */
  static final class NoDestinationException extends ContrailException {
    private static final long serialVersionUID = 1L;

    NoDestinationException(String reason) {
      super(reason);
    }
  }

  /**
   * Where the copy of that dead letter goes.
   *
   * @throws NoDestinationException when no stream would take it
   */
  synchronized Destination of(DeadLetterId id, String originalSubject, Reason reason) {
    forgetAfterAWhile();
    String subject = to.orElse(originalSubject);
    String stream = to.isPresent() ? streamOfTo(subject) : originalStream(id, subject);
    StreamConfiguration configuration = stream(stream).orElseThrow();
    Optional<String> consumer =
        failed(id)
            .filter(name -> stream.equals(id.stream()))
            .flatMap(name -> addressee(name, subject, configuration));
    if (configuration.getRetentionPolicy() == RetentionPolicy.Interest) {
      requireInterest(stream, subject, consumer);
    }
    return new Destination(
        subject,
        stream,
        consumer,
        outlook(consumer, reason, stream, subject, configuration),
        configuration.getDuplicateWindow());
  }

  /** The consumer that gave up on it; empty where there was none. */
  static Optional<String> failed(DeadLetterId id) {
    return Optional.of(id.consumer()).filter(name -> !name.equals(DeadLetterId.ORPHAN));
  }

  private void forgetAfterAWhile() {
    if (asked.elapsed().compareTo(WHILE) >= 0) {
      streams.clear();
      consumers.clear();
      ledgers.clear();
      streamOfTo = Optional.empty();
      asked = asked.again();
    }
  }

  /** Such a stream drops at once what none of its consumers wants, and says that it is stored. */
  private void requireInterest(String stream, String subject, Optional<String> consumer) {
    List<String> all = receivers(stream, subject);
    if (consumer.map(name -> !all.contains(name)).orElse(all.isEmpty())) {
      throw new NoDestinationException(
          consumer
                  .map(name -> "there is no consumer " + name)
                  .orElse("no consumer takes " + subject)
              + " on stream "
              + stream
              + ", which keeps only what a consumer waits for");
    }
  }

  private String originalStream(DeadLetterId id, String subject) {
    StreamConfiguration found =
        stream(id.stream())
            .orElseThrow(
                () ->
                    new NoDestinationException("there is no stream " + id.stream() + " any more"));
    if (!SubjectPattern.anyMatches(found.getSubjects(), subject)) {
      throw new NoDestinationException("stream " + id.stream() + " does not take " + subject);
    }
    return id.stream();
  }

  private String streamOfTo(String subject) {
    if (streamOfTo.isEmpty()) {
      streamOfTo = Optional.of(facts.streamTaking(subject));
    }
    return streamOfTo
        .get()
        .orElseThrow(() -> new NoDestinationException("no stream takes " + subject));
  }

  private Outlook outlook(
      Optional<String> consumer,
      Reason reason,
      String stream,
      String subject,
      StreamConfiguration configuration) {
    boolean contrail =
        consumer
            .map(name -> BY_WORKERS.contains(reason) || hasLedger(stream, name))
            .orElseGet(() -> isAllContrail(stream, subject));
    if (contrail) {
      return Outlook.TOLD;
    }
    return configuration.getRetentionPolicy() == RetentionPolicy.Limits
        ? Outlook.UNKNOWN
        : Outlook.INFERRED;
  }

  private boolean isAllContrail(String stream, String subject) {
    List<String> all = receivers(stream, subject);
    return !all.isEmpty() && all.stream().allMatch(name -> hasLedger(stream, name));
  }

  /** Whether workers of Contrail tell what becomes of copies for the consumer that failed. */
  synchronized boolean isOfContrail(DeadLetterId id, Reason reason) {
    return BY_WORKERS.contains(reason) || hasLedger(id.stream(), id.consumer());
  }

  /** Consumers that get the copy beside the one that it is for, and may not leave it alone. */
  synchronized List<String> bystanders(Destination destination) {
    return receivers(destination.stream(), destination.subject()).stream()
        .filter(name -> destination.consumer().map(it -> !it.equals(name)).orElse(false))
        .filter(name -> !hasLedger(destination.stream(), name))
        .sorted()
        .toList();
  }

  /** The consumers that take the copy of what another consumer failed on; empty where none does. */
  synchronized List<String> heirs(DeadLetterId id, Destination destination) {
    boolean inherited = to.isEmpty() && failed(id).isPresent() && destination.consumer().isEmpty();
    return inherited ? receivers(destination.stream(), destination.subject()) : List.of();
  }

  /** Whether the consumer that it is for is there. */
  synchronized boolean hasReceiver(Destination destination) {
    List<String> all = receivers(destination.stream(), destination.subject());
    return destination.consumer().map(all::contains).orElse(!all.isEmpty());
  }

  private List<String> receivers(String stream, String subject) {
    return consumers(stream).stream()
        .filter(info -> gets(info.getConsumerConfiguration(), subject))
        .map(ConsumerInfo::getName)
        .toList();
  }

  /**
   * For whom the copy is that the consumer of that name failed on; empty for whoever takes it.
   *
   * @throws NoDestinationException when it would not get it, and others would who did not fail
   */
  private Optional<String> addressee(
      String consumer, String subject, StreamConfiguration configuration) {
    String stream = configuration.getName();
    List<String> all = receivers(stream, subject);
    if (all.contains(consumer)) {
      return Optional.of(consumer);
    }
    if (configuration.getRetentionPolicy() == RetentionPolicy.WorkQueue && !all.isEmpty()) {
      // The work is that of one consumer in any case, and that is another one by now.
      return Optional.empty();
    }
    if (consumers(stream).stream().noneMatch(info -> info.getName().equals(consumer))) {
      // It gets all once it is made.
      return Optional.of(consumer);
    }
    if (to.isPresent()) {
      return Optional.empty();
    }
    throw new NoDestinationException(
        "consumer "
            + consumer
            + " of stream "
            + stream
            + " does not take "
            + subject
            + " any more");
  }

  static boolean gets(ConsumerConfiguration consumer, String subject) {
    List<String> filters = consumer.getFilterSubjects();
    return filters == null || filters.isEmpty() || SubjectPattern.anyMatches(filters, subject);
  }

  private boolean hasLedger(String stream, String consumer) {
    return ledgers.computeIfAbsent(
        stream + "." + consumer, any -> facts.hasLedger(stream, consumer));
  }

  private Optional<StreamConfiguration> stream(String stream) {
    return streams.computeIfAbsent(stream, facts::stream);
  }

  private List<ConsumerInfo> consumers(String stream) {
    return consumers.computeIfAbsent(stream, facts::consumers);
  }
}
