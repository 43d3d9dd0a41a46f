package dev.contrail.jetstream;

import dev.contrail.Codec;
import dev.contrail.Durations;
import dev.contrail.Handler;
import dev.contrail.engine.Worker;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.Limits;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.policy.WorkerPolicy;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts a consumer together and starts it. */
final class ConsumerStarter {
  private static final Logger log = LoggerFactory.getLogger(ContrailConsumer.class);

  private ConsumerStarter() {}

  static <T> ContrailConsumer start(
      Connection connection,
      String stream,
      String name,
      ConsumerOptions options,
      Codec<T> codec,
      Handler<T> handler) {
    warnAbout(connection);
    ConsumerSetup setup =
        new ConsumerSetup(
            connection, management(connection, options), options.settings(stream, name));
    ConsumerSetup.Ready ready = setup.prepare();
    OwnStores stores = new OwnStores(connection, options, ready.replicas());
    stores.ensure();
    refuseWithoutPermission(new DeadLetterProbe(connection, options.names), stream, name);
    ConsumerIdentity identity = new ConsumerIdentity(stream, name, ready.incarnation());
    Notices notices = new Notices(identity, options.listener);

    Relay relay = new Relay();
    HandlerThreads handlers =
        new HandlerThreads(
            options.policy.concurrency(),
            ThreadKind.keptIdle(),
            ThreadKind.named("contrail-" + name),
            new HandlerBody<>(identity, codec, handler, relay));
    JetStreamApi api = options.api.apply(connection, options.jetStream);
    AckWriter acks = new AckWriter(connection);
    MessageTtl ttl = new MessageTtl();
    Duration longestDelay = options.policy.retry().longestDelay();
    Optional<ConsumerLedger> ledger =
        options
            .ledger
            .factory(connection, api, options.names, notices::sequencesReused)
            .map(
                factory ->
                    new ConsumerLedger(
                        scope -> factory.open(scope.ofGeneration(options.ledgerGeneration)),
                        identity,
                        longestDelay,
                        relay));
    refuseObjection(ledger, ready);
    ConsumerKeeper keeper =
        new ConsumerKeeper(
            setup, ready, identity, stores, acks, ledger, ttl, notices, relay, options.patrol);
    PullInbox pulls =
        new PullInbox(
            connection,
            api.subject("CONSUMER.MSG.NEXT." + stream + "." + name),
            api.subject("CONSUMER.INFO." + stream + "." + name),
            ready.pulls().expires(),
            relay,
            keeper::trouble);
    Clock clock = Clock.systemUTC();
    String witness = options.worker.orElseGet(ConsumerStarter::worker);
    CopyJudge copies =
        new CopyJudge(
            new EventStore(api, options.names),
            api,
            identity,
            witness,
            clock,
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
            copies);
    JetStreamPort port =
        new JetStreamPort(
            burials,
            new RunNotes(api, options.names),
            ledger,
            new Replays(copies, ledger, relay),
            acks,
            pulls,
            ttl,
            handlers,
            relay,
            event -> {
              keeper.told(event);
              notices.accept(event);
            });
    Worker<Delivered> worker =
        new Worker<>(
            options.policyWithin(Runtime.getRuntime().maxMemory(), connection.getMaxPayload()),
            ready.ackWait(),
            ledger.isPresent(),
            options.port.apply(port),
            new SplittableRandom());
    WorkerLoop loop =
        new WorkerLoop("contrail-worker-" + name, worker, ready.ackWait(), port::endCycle);
    relay.to(loop);
    ContrailConsumer consumer =
        new ContrailConsumer(
            connection, identity, options.drainTimeout, loop, pulls, keeper, handlers, notices);
    log.info("{}: {}", identity, summary(options.policy, ready));
    consumer.start();
    return consumer;
  }

  private static void refuseObjection(Optional<ConsumerLedger> ledger, ConsumerSetup.Ready ready) {
    Optional<String> objection = ledger.flatMap(kept -> kept.objection(ready.ackWait()));
    if (objection.isPresent()) {
      ledger.ifPresent(ConsumerLedger::close);
      throw new ContrailException(objection.get() + " " + Rule.LEDGER_FORGETS.tag());
    }
  }

  private static void refuseWithoutPermission(DeadLetterProbe probe, String stream, String name) {
    probe
        .denial(stream, name)
        .ifPresent(
            finding -> {
              throw new ContrailException(
                  "Consumer "
                      + name
                      + " of stream "
                      + stream
                      + " cannot be worked on: "
                      + finding
                      + "; “contrail init --print” lists the permissions that a worker needs.");
            });
  }

  private static void warnAbout(Connection connection) {
    if (!Contrail.isGuarded(connection)) {
      log.warn(
          "This connection stops for good at a message whose headers hold bytes above 127;"
              + " Contrail.connect(…) or Contrail.options(…) give one that does not.");
    }
    if (connection.getOptions().getMaxReconnect() >= 0) {
      log.warn(
          "This connection gives up after {} attempts to reconnect, and the consumer with it;"
              + " maxReconnects(-1) tries for ever.",
          connection.getOptions().getMaxReconnect());
    }
    if (Duration.ZERO.equals(connection.getOptions().getReconnectJitter())) {
      log.warn(
          "This connection never reconnects: the NATS client stumbles over a reconnect jitter of"
              + " zero, 1 ms will do.");
    }
  }

  private static JetStreamManagement management(Connection connection, ConsumerOptions options) {
    try {
      return connection.jetStreamManagement(options.jetStream);
    } catch (IOException e) {
      throw new ContrailException("The connection cannot be used: " + e.getMessage(), e);
    }
  }

  private static String summary(WorkerPolicy policy, ConsumerSetup.Ready ready) {
    return "dead-letters after "
        + policy.retry().deliveryLimit()
        + " deliveries, about "
        + Durations.format(policy.retry().expectedRetryTime())
        + " of retries; transient failures are retried for "
        + Durations.format(policy.retry().retryWindow())
        + "; AckWait "
        + Durations.format(ready.ackWait())
        + ", extended while a handler runs, up to "
        + Durations.format(policy.handlerTimeout())
        + "; "
        + policy.concurrency()
        + " at once, "
        + policy.window()
        + " in flight";
  }

  private static String worker() {
    try {
      return ProcessHandle.current().pid() + "@" + InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return ProcessHandle.current().pid() + "@unknown";
    }
  }
}
