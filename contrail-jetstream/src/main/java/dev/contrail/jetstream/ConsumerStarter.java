package dev.contrail.jetstream;

import dev.contrail.Codec;
import dev.contrail.Durations;
import dev.contrail.Handler;
import dev.contrail.policy.WorkerPolicy;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts a consumer together and starts it. */
final class ConsumerStarter {
  private static final Logger log = LoggerFactory.getLogger(ContrailConsumer.class);

  private ConsumerStarter() {}

  /** All that a consumer is made of, and nothing of it started. */
  record Parts(
      ConsumerIdentity identity,
      Duration ackWait,
      Notices notices,
      Tally tally,
      Relay relay,
      Pulse pulse,
      Handlers handlers,
      Assembly assembly) {}

  static <T> ContrailConsumer start(
      Connection connection,
      String stream,
      String name,
      ConsumerOptions options,
      Codec<T> codec,
      Handler<T> handler) {
    Parts parts = prepare(connection, stream, name, options, codec, handler);
    Assembly assembly = parts.assembly();
    WorkerLoop loop =
        new WorkerLoop(
            "contrail-worker-" + name,
            assembly.worker(),
            parts.ackWait(),
            assembly.port()::endCycle,
            parts.pulse());
    parts.relay().to(loop);
    PauseSwitch pauses = new PauseSwitch();
    Liaison liaison = LiaisonStarter.prepare(connection, options, parts, loop, pauses);
    liaison.begin();
    ContrailConsumer consumer =
        new ContrailConsumer(
            connection,
            parts.identity(),
            options.drainTimeout,
            loop,
            assembly.pulls(),
            assembly.keeper(),
            parts.handlers(),
            parts.notices(),
            pauses,
            liaison,
            parts.tally());
    parts.tally().measure(options.meters, loop::status);
    try {
      consumer.start();
    } catch (RuntimeException e) {
      parts.tally().end();
      throw e;
    }
    return consumer;
  }

  /** Makes or adopts the durable consumer, and puts everything together. */
  static <T> Parts prepare(
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
    Tally tally = new Tally(identity);
    Notices notices = new Notices(identity, tally.counting(options.listener));

    Relay relay = new Relay();
    Pulse pulse = new Pulse(ready.ackWait());
    Handlers handlers =
        options.handlers.apply(
            name, new HandlerBody<>(identity, codec, handler, relay, pulse, tally));
    Assembly assembly =
        Assembly.of(
            connection,
            options,
            setup,
            ready,
            stores::ensure,
            identity,
            notices,
            tally,
            relay,
            handlers);
    log.info("{}: {}", identity, summary(options.policy, ready));
    return new Parts(identity, ready.ackWait(), notices, tally, relay, pulse, handlers, assembly);
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
}
