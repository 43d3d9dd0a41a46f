package dev.contrail.jetstream;

import dev.contrail.engine.Port;
import dev.contrail.engine.WorkerStatus;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.log.LedgerTimes;
import dev.contrail.policy.WorkerPolicy;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.JetStreamOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A consumer without threads: all that {@link ContrailConsumer} is made of, driven by its caller in
 * the {@link Surroundings} that the connection brings. For simulations, and for Contrail's own
 * modules alone.
 */
public final class SimulatedConsumer {
  private static final Duration LAST_MOMENTS = Duration.ofSeconds(5);

  private final Connection connection;
  private final Assembly parts;
  private final WorkerCycle cycle;
  private final ConnectionListener listener = this::connectionChanged;
  private boolean mayEnd;

  /**
   * Which consumer it is, and how it works. Contrail's own stores have to be there.
   *
   * @param worker by which name dead letters and events know it
   * @param patrol how often it is looked whether the consumer is as it should be
   */
  public record Settings(
      String stream,
      String consumer,
      Duration ackWait,
      WorkerPolicy policy,
      String worker,
      Duration patrol,
      LedgerTimes ledgerTimes) {}

  /** What surrounds it: runs handlers, looks on, and may put something wrong in. */
  public interface Stage {
    /** To be begun with in this order, when there is room. */
    void queued(List<HandlerRun> runs);

    /** A handler was given up; its place is free. */
    void abandoned();

    /** Something was left for the worker: {@link SimulatedConsumer#cycle} should come soon. */
    void signalled();

    <M> Port<M> port(Port<M> port);

    CompletionLedger ledger(CompletionLedger ledger);
  }

  /**
   * Makes or adopts the consumer on the server, and begins.
   *
   * @throws ContrailException when that is not possible
   */
  public static SimulatedConsumer start(Connection connection, Settings settings, Stage stage) {
    ConsumerOptions options = new ConsumerOptions();
    options.ackWait = Optional.of(settings.ackWait());
    options.policy = settings.policy();
    options.windowBytesChosen = true;
    options.worker = Optional.of(settings.worker());
    options.patrol = settings.patrol();
    options.ledgerTimes = settings.ledgerTimes();
    options.port = stage::port;
    options.kept = stage::ledger;
    SimulatedConsumer consumer = new SimulatedConsumer(connection, options, settings, stage);
    consumer.begin();
    return consumer;
  }

  private SimulatedConsumer(
      Connection connection, ConsumerOptions options, Settings settings, Stage stage) {
    this.connection = connection;
    ConsumerSetup setup =
        new ConsumerSetup(
            connection,
            management(connection),
            options.settings(settings.stream(), settings.consumer()));
    ConsumerSetup.Ready ready = setup.prepare();
    ConsumerIdentity identity =
        new ConsumerIdentity(settings.stream(), settings.consumer(), ready.incarnation());
    Surroundings surroundings = Surroundings.of(connection);
    Relay relay = new Relay();
    this.parts =
        Assembly.of(
            connection,
            options,
            setup,
            ready,
            () -> {},
            identity,
            new Notices(identity, options.listener),
            new Tally(identity),
            relay,
            new StagedHandlers(stage, surroundings, relay));
    this.cycle =
        new WorkerCycle(
            parts.worker(),
            settings.ackWait().toNanos() / 10,
            parts.port()::endCycle,
            // Handlers run on the same thread: what they begin with is known to be theirs.
            () -> {},
            surroundings);
    relay.to(
        signal -> {
          cycle.add(signal);
          stage.signalled();
        });
  }

  private static io.nats.client.JetStreamManagement management(Connection connection) {
    try {
      return connection.jetStreamManagement(JetStreamOptions.defaultOptions());
    } catch (IOException e) {
      throw new ContrailException("The connection cannot be used: " + e.getMessage(), e);
    }
  }

  private void begin() {
    connection.addConnectionListener(listener);
    parts.keeper().start();
  }

  /** One cycle of the worker; to be called when it is signalled, and every AckWait / 10. */
  public void cycle() {
    cycle.run();
  }

  /** What it has done and is doing. */
  public WorkerStatus status() {
    return cycle.status();
  }

  public void pause() {
    parts.keeper().signal((worker, now) -> worker.pause());
  }

  public void resume() {
    parts.keeper().signal((worker, now) -> worker.resume());
  }

  /** Takes no more messages, lets handlers finish, and returns the rest. */
  public void drain(Duration timeout) {
    parts.keeper().signal((worker, now) -> worker.drain(timeout, now));
    try {
      var unused =
          parts.pulls().close(LAST_MOMENTS).whenComplete((drained, failure) -> mayEnd = true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it was drained, and nothing is left to be said. */
  public boolean isDrained() {
    return mayEnd && cycle.isDone();
  }

  /** Ends it without a further word to the server. */
  public void close() {
    connection.removeConnectionListener(listener);
    parts.keeper().close();
  }

  private void connectionChanged(Connection changed, ConnectionListener.Events event) {
    if (event == ConnectionListener.Events.DISCONNECTED) {
      parts.keeper().disconnected();
    } else if (event == ConnectionListener.Events.RESUBSCRIBED) {
      parts.keeper().lookSoon();
    }
  }

  private record StagedHandlers(Stage stage, Surroundings surroundings, Relay relay)
      implements Handlers {
    @Override
    public void submit(List<Run> runs) {
      stage.queued(runs.stream().map(run -> new HandlerRun(run, surroundings, relay)).toList());
    }

    @Override
    public void startMissing() {}

    @Override
    public void replace(Run run) {
      if (run.abandon()) {
        stage.abandoned();
      }
    }

    @Override
    public void close() {}
  }
}
