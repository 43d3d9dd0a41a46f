package dev.contrail.operations.audit;

import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.operations.audit.AuditPass.Snapshot;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Accounts for every message of a stream. Reads alone: nothing is written or acknowledged. */
public final class Audits {
  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;

  public Audits(Connection connection, JetStreamOptions options, Names names) {
    this.connection = connection;
    this.options = options;
    this.names = names;
  }

  /** Told how many of the messages that have to be read are read. */
  @FunctionalInterface
  public interface Listener {
    void read(long done, long of);
  }

  /**
   * Audits. What is doubtful at first is looked at a second time, since messages move on while they
   * are looked at.
   *
   * @throws ContrailException when there is no such stream, or no record of a consumer that was
   *     asked for, or something cannot be read
   */
  public AuditReport audit(AuditRequest request, Instant now, Listener listener)
      throws InterruptedException {
    StreamInfo info =
        new JetStreamServer(connection, options)
            .stream(request.stream())
                .orElseThrow(
                    () ->
                        new ContrailException(
                            "There is no stream " + request.stream() + " on this server."));
    long last = info.getStreamState().getLastSequence();
    AuditPass pass = new AuditPass(connection, options, names, info, request, listener::read);
    Snapshot snapshot = pass.take(last, Optional.empty(), now);
    Map<String, Classification> classes = classes(snapshot);
    if (classes.values().stream().anyMatch(Classification::isDoubtful)) {
      Snapshot again = pass.take(last, Optional.of(snapshot.horizon()), now);
      Map<String, Classification> second = classes(again);
      Map<String, Classification> first = classes;
      second.replaceAll(
          (consumer, found) ->
              first.containsKey(consumer) ? found.after(first.get(consumer)) : found);
      classes = second;
      snapshot = again;
    }
    return report(info, snapshot, classes, now);
  }

  private static Map<String, Classification> classes(Snapshot snapshot) {
    Map<String, Classification> classes = new HashMap<>();
    for (ConsumerFacts consumer : snapshot.consumers()) {
      classes.put(
          consumer.name(), Classification.of(snapshot.range(), snapshot.stream(), consumer));
    }
    return classes;
  }

  private static AuditReport report(
      StreamInfo info, Snapshot snapshot, Map<String, Classification> classes, Instant now) {
    List<AuditReport.OfConsumer> consumers = new ArrayList<>();
    for (ConsumerFacts consumer : snapshot.consumers()) {
      Map<Fate, SequenceSet> fates = new EnumMap<>(Fate.class);
      Classification found = Objects.requireNonNull(classes.get(consumer.name()));
      for (Fate fate : Fate.values()) {
        fates.put(fate, found.of(fate));
      }
      consumers.add(
          new AuditReport.OfConsumer(
              consumer.name(),
              consumer.hasLedger(),
              fates,
              new Causes(snapshot.stream(), consumer, snapshot.timeline(), now)
                  .of(found.of(Fate.UNACCOUNTED))));
    }
    List<String> notes = new ArrayList<>(snapshot.unreadable());
    snapshot
        .reused()
        .ifPresent(
            from ->
                notes.add(
                    "Sequences from "
                        + from
                        + " on were handed out again; what was recorded of the messages that had"
                        + " them before is not counted."));
    return new AuditReport(
        info.getConfiguration().getName(),
        Incarnation.of(info.getCreateTime().toInstant()),
        now,
        snapshot.horizon().sequence(),
        info.getStreamState().getLastSequence(),
        snapshot.horizon().why(),
        consumers,
        notes,
        snapshot.unreadable().isEmpty());
  }
}
