package dev.contrail.operations.orphans;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.lease.LeaderLease;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.StrandedMessages;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Takes orphans away: consumers, filters, the stream's state and what is acknowledged first; then
 * the messages one by one, by sequence, each only when it is old enough and nobody claims it;
 * evidence, one more look at the consumers, and the deletion within a second of it. Blocks.
 *
 * <p>One of several leads by a lease; every act is safe when two believe they do.
 */
public final class Reaper {
  /** The lease that a reaper must have. */
  public static final String TASK = "orphans";

  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;
  private final Provision provision;
  private final String by;
  private final JetStreamServer server;
  private final StreamMessages messages;
  private final StrandedMessages stranded;
  private final OrphanScan scan;

  /**
   * For the server behind {@code connection}.
   *
   * @param by who reaps; part of the history of dead letters
   */
  public Reaper(
      Connection connection,
      JetStreamOptions options,
      Names names,
      Provision provision,
      String by) {
    this.connection = connection;
    this.options = options;
    this.names = names;
    this.provision = provision;
    this.by = by;
    this.server = new JetStreamServer(connection, options);
    this.messages = new StreamMessages(connection, options);
    this.stranded = new StrandedMessages(server, messages);
    this.scan = new OrphanScan(connection, options, names);
  }

  /** Hears how far it is. */
  public interface Listener {
    /** So many messages of so many are settled. */
    void settled(long done, long of);
  }

  /**
   * Takes away what is planned, or only counts it.
   *
   * @param stop whether to end after the messages that are under way
   * @throws ContrailException when another reaper leads, nobody would take what is handed over, or
   *     the server refuses or does not answer
   */
  public ReapReport reap(ReapPlan plan, BooleanSupplier stop, Listener listener)
      throws InterruptedException {
    if (plan.to().isPresent()) {
      requireTaker(plan.to().get());
    }
    if (!plan.really()) {
      return reap(plan, port(plan), System::nanoTime, () -> true, stop, listener);
    }
    new Provisioning(connection, options, InitPlan.of(names), provision)
        .ensure(List.of(Store.DEAD_LETTERS, Store.EVENTS, Store.LEASES));
    try (LeaderLease lease = LeaderLease.of(connection, options, names, TASK, by)) {
      if (!lease.tryTake()) {
        throw new ContrailException(
            "Another reaper is at work: " + lease.other().orElse("somebody else") + ".");
      }
      return reap(plan, port(plan), System::nanoTime, lease::isHeld, stop, listener);
    }
  }

  /** The same with whatever acts. */
  ReapReport reap(
      ReapPlan plan,
      ReapPort port,
      LongSupplier nanoTime,
      BooleanSupplier leads,
      BooleanSupplier stop,
      Listener listener)
      throws InterruptedException {
    return new ReapRun(
            new ReapRun.Site(server, messages, scan),
            plan,
            port,
            new ReapRun.Signals(nanoTime, leads, stop, listener))
        .run();
  }

  ReapPort port(ReapPlan plan) {
    EventStore events = new EventStore(connection, options, names);
    return new JetStreamReapPort(
        stranded,
        messages,
        events,
        new Burial(connection, options, names, by, ForkJoinPool.commonPool()),
        plan.to()
            .map(
                to ->
                    new HandOver(
                        new ReplayPlans(connection, options, names, provision), events, to, by)),
        by);
  }

  /** Whoever hands over work hands it to somebody. */
  private void requireTaker(String subject) {
    String stream =
        server
            .streamTaking(subject)
            .orElseThrow(() -> nothing(subject, "no stream takes that subject"));
    List<ConsumerView> consumers = stranded.consumers(stream);
    if (Sorting.claims(consumers, List.of()).on(subject).isEmpty()) {
      throw nothing(subject, "no consumer of stream " + stream + " claims it");
    }
  }

  private static ContrailException nothing(String subject, String why) {
    return new ContrailException("Nothing can be handed over to " + subject + ": " + why + ".");
  }
}
