package dev.contrail.jetstream;

import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.WorkerReport;
import io.nats.client.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Puts together what keeps a worker and its operators in touch. */
final class LiaisonStarter {
  private static final int RADIX = 36;
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  private LiaisonStarter() {}

  static Liaison prepare(
      Connection connection,
      ConsumerOptions options,
      ConsumerStarter.Parts parts,
      SignalTarget worker,
      PauseSwitch pauses) {
    // With nothing in between that tests put there: this is not part of the work.
    JetStreamApi api = new JetStreamApi(connection, options.jetStream);
    Optional<WorkerReporter> reporter =
        options.reports
            ? Optional.of(reporter(connection, api, options, parts, worker))
            : Optional.empty();
    return new Liaison(
        connection,
        parts.identity(),
        options.names,
        reporter,
        changed ->
            new PauseWatch(
                api,
                options.names,
                parts.identity(),
                Assembly.workerName(options),
                LOOK_EVERY,
                order -> worker.send(told(order, pauses, parts.notices(), changed))),
        api.surroundings());
  }

  /** Listeners are told on the worker's thread; whoever read the order has others to read for. */
  private static Signal told(
      Optional<PauseOrder> order, PauseSwitch pauses, Notices notices, Runnable changed) {
    Signal turn = pauses.byOperator(order.isPresent());
    return (worker, now) -> {
      turn.apply(worker, now);
      order.map(PauseOrder::sentence).ifPresentOrElse(notices::paused, notices::resumed);
      changed.run();
    };
  }

  private static WorkerReporter reporter(
      Connection connection,
      JetStreamApi api,
      ConsumerOptions options,
      ConsumerStarter.Parts parts,
      SignalTarget worker) {
    WorkerTroubles troubles = new WorkerTroubles(api.surroundings());
    parts.notices().alsoTell(troubles);
    return new WorkerReporter(
        connection,
        api,
        who(options, parts.identity(), api.surroundings()),
        options.names,
        options.reportEvery,
        () ->
            new Provisioning(
                    connection, options.jetStream, InitPlan.of(options.names), options.provision)
                .ensure(Set.of(Store.WORKERS)),
        worker,
        troubles);
  }

  private static WorkerReport.Who who(
      ConsumerOptions options, ConsumerIdentity identity, Surroundings surroundings) {
    return new WorkerReport.Who(
        Assembly.workerName(options),
        Long.toString(surroundings.random().nextLong() >>> 1, RADIX),
        version(),
        options.appVersion,
        identity.stream(),
        identity.consumer(),
        surroundings.clock().instant());
  }

  private static String version() {
    String packaged = LiaisonStarter.class.getPackage().getImplementationVersion();
    return packaged == null ? "development" : packaged;
  }
}
