package dev.contrail.operations.workers;

import dev.contrail.event.Act;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.PauseScope;
import dev.contrail.jetstream.report.UnreadableReportException;
import dev.contrail.operations.acts.Acts;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells workers to pause and to go on, which they do within a second or two. A pause stands until
 * it is ended, also for workers that start later; who gave which order is on record. Every method
 * may throw a {@link ContrailException} that says in one sentence what is refused or not answered.
 */
public final class Pauses {
  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;
  private final Provision provision;
  private final InstantSource clock;
  private final Bucket bucket;
  private final Acts acts;

  public Pauses(
      Connection connection,
      JetStreamOptions options,
      Names names,
      Provision provision,
      InstantSource clock) {
    this.connection = connection;
    this.options = options;
    this.names = names;
    this.provision = provision;
    this.clock = clock;
    this.bucket = new Bucket(connection, options, names, Store.PAUSES);
    this.acts = new Acts(connection, options, names);
  }

  /**
   * Begins a pause, or says anew of one that stands who wants it and why.
   *
   * @param because why, may be empty
   */
  public PauseOrder pause(PauseScope scope, String by, String because) {
    new Provisioning(connection, options, InitPlan.of(names), provision)
        .ensure(List.of(Store.PAUSES));
    return write(new PauseOrder(scope, true, by, clock.instant(), because));
  }

  /** Ends a pause that stands. Who did stays written down. */
  public PauseOrder resume(PauseScope scope, String by) {
    return write(new PauseOrder(scope, false, by, clock.instant(), ""));
  }

  /** Those that stand, the widest first. */
  public List<PauseOrder> standing() {
    return read(new ArrayList<>());
  }

  /** The same; what cannot be read gets a sentence. */
  List<PauseOrder> read(List<String> unreadable) {
    List<PauseOrder> standing = new ArrayList<>();
    for (Bucket.Entry entry : bucket.entries()) {
      try {
        PauseOrder order = PauseOrder.decode(entry.value());
        if (!order.scope().key().equals(entry.key())) {
          unreadable.add("A pause is stored under " + entry.key() + ", where workers ignore it.");
        } else if (order.paused()) {
          standing.add(order);
        }
      } catch (UnreadableReportException e) {
        unreadable.add(e.getMessage() + " Its key is " + entry.key() + ".");
      }
    }
    return standing;
  }

  private PauseOrder write(PauseOrder order) {
    acts.write(
        order.paused() ? Act.Kind.WORKERS_PAUSED : Act.Kind.WORKERS_RESUMED,
        order.scope().toString(),
        order.by(),
        order.because(),
        order.at(),
        provision);
    try {
      connection.jetStream(options).publish(bucket.subject(order.scope().key()), order.encode());
      return order;
    } catch (JetStreamApiException e) {
      throw new ContrailException(
          "The server refuses to store in "
              + names.pausesBucket()
              + ": "
              + e.getErrorDescription()
              + ".",
          e);
    } catch (IOException | IllegalStateException e) {
      throw new ContrailException(
          "No answer from JetStream about the bucket "
              + names.pausesBucket()
              + "; is this user allowed to write to it?",
          e);
    }
  }
}
