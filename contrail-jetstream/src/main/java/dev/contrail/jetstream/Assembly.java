package dev.contrail.jetstream;

import dev.contrail.engine.Worker;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.Limits;
import dev.contrail.jetstream.doctor.Rule;
import io.nats.client.Connection;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** What a consumer is made of, put together but not started. */
record Assembly(
    Worker<Delivered> worker, JetStreamPort port, PullInbox pulls, ConsumerKeeper keeper) {
  /**
   * Puts it together.
   *
   * @param stores makes the stores of Contrail's own that are missing
   * @param relay where signals go; nothing sends any before all is started
   */
  static Assembly of(
      Connection connection,
      ConsumerOptions options,
      ConsumerSetup setup,
      ConsumerSetup.Ready ready,
      Runnable stores,
      ConsumerIdentity identity,
      Notices notices,
      Tally tally,
      Relay relay,
      Handlers handlers) {
    String stream = identity.stream();
    String name = identity.consumer();
    Surroundings surroundings = options.surroundings.apply(connection);
    JetStreamApi api = options.api.apply(connection, options.jetStream);
    AckWriter acks = options.acks.apply(connection);
    MessageTtl ttl = new MessageTtl();
    Duration longestDelay = options.policy.retry().longestDelay();
    Optional<ConsumerLedger> ledger =
        options
            .ledger
            .factory(connection, api, options.names, options.ledgerTimes, notices::sequencesReused)
            .map(
                factory ->
                    new ConsumerLedger(
                        scope ->
                            options.kept.apply(
                                factory.open(scope.ofGeneration(options.ledgerGeneration))),
                        identity,
                        longestDelay,
                        relay,
                        tally));
    ledger.ifPresent(tally::ledger);
    refuseObjection(ledger, ready);
    ConsumerKeeper keeper =
        new ConsumerKeeper(
            setup,
            ready,
            identity,
            stores,
            acks,
            ledger,
            ttl,
            notices,
            tally,
            relay,
            options.patrol,
            surroundings);
    PullInbox pulls =
        new PullInbox(
            connection,
            api.subject("CONSUMER.MSG.NEXT." + stream + "." + name),
            api.subject("CONSUMER.INFO." + stream + "." + name),
            ready.pulls().expires(),
            tally.watching(relay),
            keeper::trouble);
    Clock clock = surroundings.clock();
    String witness = workerName(options);
    CopyJudge copies =
        new CopyJudge(
            new EventStore(api, options.names),
            api,
            identity,
            witness,
            surroundings,
            // Of workers with other settings nothing is known; they are taken to be like this one.
            options.policy.handlerTimeout().plus(ready.ackWait()));
    Burials burials =
        new Burials(
            new Evidence(identity, new Death.Witness(witness, options.appVersion), clock),
            new DeadLetterStore(
                api,
                options.names,
                () -> Limits.ofMessages(connection.getMaxPayload()),
                options.redaction),
            copies,
            tally);
    JetStreamPort port =
        new JetStreamPort(
            burials,
            new RunNotes(api, options.names),
            ledger,
            new Replays(copies, ledger, relay, surroundings),
            acks,
            pulls,
            ttl,
            handlers,
            relay,
            event -> {
              keeper.told(event);
              tally.told(event);
              notices.accept(event);
              options.events.accept(event);
            });
    Worker<Delivered> worker =
        new Worker<>(
            options.policyWithin(Runtime.getRuntime().maxMemory(), connection.getMaxPayload()),
            ready.ackWait(),
            ledger.isPresent(),
            options.port.apply(port),
            surroundings.random());
    return new Assembly(worker, port, pulls, keeper);
  }

  private static void refuseObjection(Optional<ConsumerLedger> ledger, ConsumerSetup.Ready ready) {
    Optional<String> objection = ledger.flatMap(kept -> kept.objection(ready.ackWait()));
    if (objection.isPresent()) {
      ledger.ifPresent(ConsumerLedger::close);
      throw new ContrailException(objection.get() + " " + Rule.LEDGER_FORGETS.tag());
    }
  }

  static String workerName(ConsumerOptions options) {
    return options.worker.orElseGet(Assembly::thisProcess);
  }

  private static String thisProcess() {
    try {
      return ProcessHandle.current().pid() + "@" + InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return ProcessHandle.current().pid() + "@unknown";
    }
  }
}
