package dev.contrail.operations.audit;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.Names;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.operations.audit.Addressing.Addressee;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.Claims;
import dev.contrail.operations.stranded.ConsumerView;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One look at a stream and all that is stored about it. What is there is found out before what is
 * on record: a record is written before its message goes, so of a message that is seen to be gone
 * the record is found. The other way round, one that is processed in between would be missed.
 */
final class AuditPass {
  /** The list of more would take more time and memory than reading what is in doubt. */
  private static final long MOST_LISTED_SUBJECTS = 200_000;

  /** How much faster it is to read some messages at once than one after the other. */
  private static final int TIMES_FASTER = 10;

  private final Connection connection;
  private final JetStreamOptions options;
  private final JetStreamServer server;
  private final String stream;
  private final KnownReader reader;
  private final Instant created;
  private final StoredMessages messages;
  private final AuditRequest request;
  private final StoredMessages.Progress progress;
  private final boolean creationIsKept;

  AuditPass(
      Connection connection,
      JetStreamOptions options,
      Names names,
      StreamInfo info,
      AuditRequest request,
      StoredMessages.Progress progress) {
    this.connection = connection;
    this.options = options;
    this.server = new JetStreamServer(connection, options);
    this.stream = request.stream();
    this.created = info.getCreateTime().toInstant();
    this.reader = new KnownReader(connection, options, names, stream, Incarnation.of(created));
    this.messages =
        new StoredMessages(
            connection, options, new DeadLetterArchive(connection, options, names), stream);
    this.request = request;
    this.progress = progress;
    this.creationIsKept = connection.getServerInfo().isSameOrNewerThanVersion("2.11.0");
  }

  /**
   * What it found.
   *
   * @param reused from which sequence on sequences were handed out again, if they were
   */
  record Snapshot(
      Horizon horizon,
      SequenceSet range,
      StreamFacts stream,
      List<ConsumerFacts> consumers,
      Timeline timeline,
      OptionalLong reused,
      Set<String> unreadable) {}

  /**
   * Looks.
   *
   * @param last the last sequence of interest
   * @param decided where to begin, if that is known
   */
  Snapshot take(long last, Optional<Horizon> decided, Instant now) throws InterruptedException {
    StreamInfo info =
        server.stream(stream)
            .orElseThrow(() -> new ContrailException("Stream " + stream + " was deleted."));
    if (!info.getCreateTime().toInstant().equals(created)) {
      throw new ContrailException(
          "Stream " + stream + " was deleted and made again while it was looked at.");
    }
    SequenceSet present = present(info.getStreamState(), last);
    List<ConsumerInfo> consumers = server.consumers(stream);
    Known known = reader.read();
    Publication publication = new Publication(messages, present, known, info.getStreamState());
    long firstEver = Math.max(1, info.getConfiguration().getFirstSequence());
    Horizon horizon =
        decided.isPresent()
            ? decided.get()
            : Horizon.of(publication, known, present, created, firstEver, request.since(), now);
    SequenceSet range = SequenceSet.of(horizon.sequence(), last);
    Reuse reuse = new Reuse(messages, range, present);
    known = reuse.without(known);
    StreamFacts facts = StreamFactsReader.of(info, present);
    List<ConsumerFacts> audited = audited(info, range, facts, consumers, known, publication);
    return new Snapshot(
        horizon, range, facts, audited, publication.timeline(), reuse.first(), reader.unreadable());
  }

  private SequenceSet present(StreamState state, long last) throws InterruptedException {
    if (state.getMsgCount() == 0) {
      return new SequenceSet();
    }
    SequenceSet span = SequenceSet.of(state.getFirstSequence(), last);
    if (state.getDeletedCount() == 0) {
      return span;
    }
    if (state.getDeletedCount() <= Presence.MOST_LISTED) {
      return span.minus(Presence.deleted(connection, options, stream));
    }
    // What is on record for all need not be looked for, and that is nearly all.
    Known known = reader.read();
    SequenceSet open = new SequenceSet();
    for (ConsumerInfo consumer : server.consumers(stream)) {
      open.add(span.minus(known.all(consumer.getName())));
    }
    if (state.getMsgCount() < open.count() / TIMES_FASTER) {
      return messages.there(open);
    }
    SequenceSet present = new SequenceSet();
    messages.read(open, (sequence, subject, published) -> present.add(sequence), progress);
    return present;
  }

  private List<ConsumerFacts> audited(
      StreamInfo info,
      SequenceSet range,
      StreamFacts facts,
      List<ConsumerInfo> consumers,
      Known known,
      Publication publication)
      throws InterruptedException {
    Set<String> takingStored = takingStored(info, consumers);
    List<Addressee> addressees = new ArrayList<>();
    for (ConsumerInfo consumer : consumers) {
      OptionalLong oldest = known.oldest(consumer.getName(), !creationIsKept);
      addressees.add(
          new Addressee(
              consumer.getName(),
              filters(consumer),
              takingStored.contains(consumer.getName()),
              Beginning.of(consumer, oldest, creationIsKept, publication)));
    }
    Addressing addressing = new Addressing(addressees, range, facts, known);
    messages.read(
        addressing.wanted(range, facts.present(), known),
        (sequence, subject, published) -> addressing.subject(sequence, subject),
        progress);
    List<ConsumerFacts> audited = new ArrayList<>();
    for (int i = 0; i < consumers.size(); i++) {
      ConsumerInfo consumer = consumers.get(i);
      if (request.wants(consumer.getName(), isDurable(consumer))) {
        long taken = takenByOthers(facts, consumer, consumers, known);
        audited.add(
            new ConsumerFacts(
                consumer.getName(),
                known.of(consumer.getName()),
                addressing.of(consumer.getName()),
                filters(consumer).takeAll(info.getConfiguration()),
                known.hasLedger(consumer.getName()),
                Optional.of(position(consumer)),
                taken));
      }
    }
    gone(consumers, known).forEach(audited::add);
    orphaned(range, facts, addressing, known).ifPresent(audited::add);
    return audited;
  }

  private static boolean isDurable(ConsumerInfo consumer) {
    String durable = consumer.getConsumerConfiguration().getDurable();
    return durable != null && !durable.isEmpty();
  }

  private static Filters filters(ConsumerInfo consumer) {
    return Filters.of(ConsumerView.of(consumer).filters());
  }

  /** Those whose filters take all that the stream holds: for these no message has to be read. */
  private Set<String> takingStored(StreamInfo info, List<ConsumerInfo> consumers) {
    Set<String> taking = new HashSet<>();
    Claims<String> claims = new Claims<>();
    for (ConsumerInfo consumer : consumers) {
      if (filters(consumer).takeAll(info.getConfiguration())) {
        taking.add(consumer.getName());
      }
      claims.add(ConsumerView.of(consumer).filters(), consumer.getName());
    }
    boolean anyFilter = consumers.stream().anyMatch(it -> !filters(it).patterns().isEmpty());
    if (anyFilter && info.getStreamState().getSubjectCount() <= MOST_LISTED_SUBJECTS) {
      // It may hold subjects that it does not take any more, or fewer than it does.
      consumers.forEach(it -> taking.add(it.getName()));
      server
          .subjects(stream, ">")
          .keySet()
          .forEach(subject -> taking.retainAll(claims.on(subject)));
    }
    return taking;
  }

  private static ConsumerFacts.Position position(ConsumerInfo consumer) {
    return new ConsumerFacts.Position(
        consumer.getDelivered().getStreamSequence(),
        consumer.getDelivered().getConsumerSequence(),
        consumer.getAckFloor().getStreamSequence(),
        consumer.getNumAckPending(),
        Math.max(0, consumer.getConsumerConfiguration().getMaxDeliver()));
  }

  /** From a workqueue, whatever another consumer takes is gone. */
  private static long takenByOthers(
      StreamFacts facts, ConsumerInfo consumer, List<ConsumerInfo> consumers, Known known) {
    if (facts.retention() != StreamFacts.Retention.WORKQUEUE) {
      return 0;
    }
    return consumers.stream()
        .filter(other -> !other.getName().equals(consumer.getName()))
        .filter(other -> !known.hasLedger(other.getName()))
        .mapToLong(other -> other.getDelivered().getConsumerSequence())
        .sum();
  }

  /** Those that were asked for and are on record alone. */
  private List<ConsumerFacts> gone(List<ConsumerInfo> consumers, Known known) {
    List<ConsumerFacts> gone = new ArrayList<>();
    for (String name : request.consumers()) {
      boolean there = consumers.stream().anyMatch(it -> it.getName().equals(name));
      if (!there && !name.equals(DeadLetterId.ORPHAN)) {
        if (!known.consumers().contains(name)) {
          throw new ContrailException(
              "There is no consumer " + name + " of stream " + stream + ", nor a record of one.");
        }
        gone.add(
            new ConsumerFacts(
                name,
                known.of(name),
                new SequenceSet(),
                true,
                known.hasLedger(name),
                Optional.empty(),
                0));
      }
    }
    return gone;
  }

  /** What no consumer claims, and what was done about it. */
  private Optional<ConsumerFacts> orphaned(
      SequenceSet range, StreamFacts facts, Addressing addressing, Known known) {
    Map<Fate, SequenceSet> fates = new EnumMap<>(Fate.class);
    fates.putAll(known.of(DeadLetterId.ORPHAN));
    if (facts.retention().isByAck()) {
      fates.put(Fate.ORPHANED, addressing.unclaimed(range, facts.present()));
    }
    boolean any = fates.values().stream().anyMatch(set -> !set.and(range).isEmpty());
    return any && request.wants(DeadLetterId.ORPHAN, true)
        ? Optional.of(
            new ConsumerFacts(DeadLetterId.ORPHAN, fates, range, false, false, Optional.empty(), 0))
        : Optional.empty();
  }
}
