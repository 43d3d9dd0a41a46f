package dev.contrail.simulation.net;

import io.nats.client.IterableConsumer;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.OrderedConsumerContext;
import io.nats.client.StreamContext;
import io.nats.client.api.OrderedConsumerConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The calls of the client that block: questions about streams, and streams read in order. */
final class WaitingCalls {
  private static final String API = "$JS.API.";

  private final SimulatedServer server;
  private final Gate gate;
  private final JetStreamManagement management;

  WaitingCalls(SimulatedServer server, Gate gate) {
    this.server = server;
    this.gate = gate;
    this.management = Facade.of(JetStreamManagement.class, new Management(server, gate));
  }

  JetStreamManagement management() {
    return management;
  }

  /** The answer of the server's API; null where none comes, as the client has it. */
  @Nullable Message request(String subject, byte[] body) {
    try {
      gate.pass();
    } catch (IOException e) {
      return null;
    }
    server.model();
    String json = server.api().answer(subject.substring(API.length()), body);
    return SimulatedMessage.of(subject, null, null, json.getBytes(StandardCharsets.UTF_8));
  }

  StreamContext stream(String name) {
    return Facade.of(StreamContext.class, new Stream(name));
  }

  /** The methods of {@link StreamContext} that production code uses. */
  public final class Stream {
    private final String name;

    private Stream(String name) {
      this.name = name;
    }

    public OrderedConsumerContext createOrderedConsumer(OrderedConsumerConfiguration how)
        throws IOException {
      gate.pass();
      @Nullable String filter = how.getFilterSubject();
      return Facade.of(
          OrderedConsumerContext.class, new Ordered(name, filter == null ? ">" : filter));
    }
  }

  /** The methods of {@link OrderedConsumerContext} that production code uses. */
  public final class Ordered {
    private final String stream;
    private final String filter;

    private Ordered(String stream, String filter) {
      this.stream = stream;
      this.filter = filter;
    }

    public IterableConsumer iterate() {
      return Facade.of(
          IterableConsumer.class,
          new Messages(new LogTail(server.model(), stream, "ordered", filter, 1)));
    }
  }

  /** The methods of {@link IterableConsumer} that production code uses. */
  public final class Messages {
    private final LogTail tail;

    private Messages(LogTail tail) {
      this.tail = tail;
    }

    public @Nullable Message nextMessage(java.time.Duration atMost) {
      try {
        gate.pass();
      } catch (IOException e) {
        return null;
      }
      server.model();
      return tail.next();
    }

    public void close() {}
  }
}
