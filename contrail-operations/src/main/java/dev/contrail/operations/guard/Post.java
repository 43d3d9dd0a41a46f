package dev.contrail.operations.guard;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.StrandedMessages;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** What a guard consists of, put together for one server. */
final class Post implements AutoCloseable {
  private static final int QUESTIONS_AT_ONCE = 4;

  private final Connection connection;
  private final JetStreamOptions jetStream;
  private final Names names;
  private final GuardOptions options;
  private final ExecutorService executor = Threads.pool(QUESTIONS_AT_ONCE, "contrail-guard-asks");
  private final UnaryOperator<GuardPort> around;
  final JetStreamServer server;
  final Tally tally;

  /**
   * For a server.
   *
   * @param around what else happens at each act
   */
  Post(
      Connection connection,
      JetStreamOptions jetStream,
      Names names,
      GuardOptions options,
      GuardListener listener,
      UnaryOperator<GuardPort> around) {
    this.connection = connection;
    this.jetStream = jetStream;
    this.names = names;
    this.options = options;
    this.around = around;
    this.server = new JetStreamServer(connection, jetStream);
    this.tally = new Tally(listener);
  }

  /** The two ways in which a guard finds what died. */
  record Work(Handling handling, AdvisoryReader reader, Sweep sweep) {}

  void provision() {
    new Provisioning(connection, jetStream, InitPlan.of(names), options.provision())
        .ensure(List.of(Store.ADVISORIES, Store.DEAD_LETTERS, Store.EVENTS, Store.LEASES));
  }

  /** Or each of many who have something to send would complain of its own. */
  void requireConnected() {
    if (connection.getStatus() != Connection.Status.CONNECTED) {
      throw new ContrailException("the NATS server cannot be reached");
    }
  }

  /**
   * Puts it together.
   *
   * @param acts false for a dry run
   * @param leads whether this guard leads at the moment
   * @param goesOn whether a sweep need not end before its time
   */
  Work work(boolean acts, BooleanSupplier leads, BooleanSupplier goesOn) {
    Scope scope = new Scope(options, names, acts);
    Burial burial =
        acts
            ? new Burial(connection, jetStream, names, options.by(), executor)
            : Burial.rehearsal(connection, jetStream, names, executor);
    GuardPort port =
        around.apply(new JetStreamGuardPort(connection, jetStream, names, burial, executor));
    Freshness freshness =
        new Freshness(() -> connection.getStatistics().getReconnects(), Clock.systemUTC());
    Handling handling = new Handling(port, scope, tally, leads, freshness, System::nanoTime);
    StrandedMessages stranded =
        new StrandedMessages(server, new StreamMessages(connection, jetStream));
    return new Work(
        handling,
        new AdvisoryReader(connection, jetStream, names, options, handling, tally, leads),
        new Sweep(
            server,
            stranded,
            port,
            names,
            scope,
            tally,
            () -> leads.getAsBoolean() && goesOn.getAsBoolean()));
  }

  /** Says which streams it looks at and which it may take messages from, as there are now. */
  void tellScope() {
    Scope scope = new Scope(options, names, true);
    List<String> watched =
        server.answeringStreams().stream()
            .map(it -> it.getConfiguration().getName())
            .filter(scope::watches)
            .sorted()
            .toList();
    tally.tell(
        new GuardEvent.Started(watched, watched.stream().filter(scope::mayRelease).toList()));
  }

  @Override
  public void close() {
    executor.shutdownNow();
    tally.close();
  }
}
