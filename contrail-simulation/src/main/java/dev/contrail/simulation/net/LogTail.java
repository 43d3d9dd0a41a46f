package dev.contrail.simulation.net;

import dev.contrail.simulation.model.Answer;
import dev.contrail.simulation.model.ModelServer;
import dev.contrail.simulation.model.StoredMessage;
import io.nats.client.Message;
import org.jspecify.annotations.Nullable;

/** A consumer without acks, kept in memory, by which a process reads subjects in order. */
final class LogTail {
  private final ModelServer model;
  private final String stream;
  private final String name;
  private final String filter;
  private final WaitingPulls pulls = new WaitingPulls();
  private long next;
  private long delivered;

  LogTail(ModelServer model, String stream, String name, String filter, long from) {
    this.model = model;
    this.stream = stream;
    this.name = name;
    this.filter = filter;
    this.next = from;
  }

  WaitingPulls pulls() {
    return pulls;
  }

  boolean deliver(WaitingPull pull) {
    @Nullable Message message = next();
    if (message == null) {
      return false;
    }
    pull.link.down(() -> pull.link.client().receive(pull.replyTo, message), 0);
    return true;
  }

  /** The next message, with how many come after it; null where there is none. */
  @Nullable Message next() {
    if (!(model.nextMessage(stream, filter, next) instanceof Answer.Ok<StoredMessage> found)) {
      return null;
    }
    StoredMessage message = found.value();
    next = message.sequence() + 1;
    delivered++;
    String replyTo =
        "$JS.ACK."
            + stream
            + "."
            + name
            + ".1."
            + message.sequence()
            + "."
            + delivered
            + "."
            + message.nanos()
            + "."
            + model.count(stream, filter, next).orElseThrow();
    return SimulatedMessage.of(
        message.subject(),
        replyTo,
        WireFormat.toClient(message.headers()),
        message.payload().bytes());
  }
}
