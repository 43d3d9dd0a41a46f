package dev.contrail.simulation;

import dev.contrail.simulation.net.Outgoing;
import dev.contrail.simulation.net.SimulatedConnection;
import dev.contrail.simulation.net.SimulatedProcess;
import dev.contrail.simulation.net.SimulatedServer;
import dev.contrail.simulation.net.Tap;
import dev.contrail.simulation.net.VirtualTime;
import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/** A process that pulls from a consumer all the time, as a plain client does. */
abstract class PullingProcess extends SimulatedProcess implements Tap {
  static final long MILLI = 1_000_000;
  private static final long EVERY = 1_000 * MILLI;
  private static final byte[] PULL =
      "{\"batch\":4,\"expires\":900000000}".getBytes(StandardCharsets.UTF_8);

  private final SimulatedConnection connection;
  private final String consumer;
  private String inbox = "";

  PullingProcess(
      String name,
      VirtualTime time,
      SimulatedServer server,
      String consumer,
      SplittableRandom random) {
    super(name, time, random);
    this.consumer = consumer;
    this.connection = new SimulatedConnection(this, server, this);
  }

  final SimulatedConnection connection() {
    return connection;
  }

  final void begin() {
    inbox = connection.face().createInbox();
    var unused = connection.face().createDispatcher().subscribe(inbox + ".*", this::arrived);
    pull();
  }

  private void pull() {
    connection.face().publish("$JS.API.CONSUMER.MSG.NEXT." + consumer, inbox + ".1", PULL);
    in(EVERY, this::pull);
  }

  private void arrived(Message message) {
    if (!message.isStatusMessage()) {
      given(message);
    }
  }

  /** A message is there. */
  abstract void given(Message message);

  final void say(Message message, String word) {
    connection
        .face()
        .publish(String.valueOf(message.getReplyTo()), word.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public List<Outgoing> sends(Outgoing message) {
    return List.of(message);
  }

  @Override
  public void receives(String subject, Message message) {}
}
