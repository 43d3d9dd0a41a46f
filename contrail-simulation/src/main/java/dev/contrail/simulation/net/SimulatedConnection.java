package dev.contrail.simulation.net;

import dev.contrail.jetstream.Surroundings;
import dev.contrail.simulation.model.Header;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.Options;
import io.nats.client.Statistics;
import io.nats.client.StreamContext;
import io.nats.client.api.ServerInfo;
import io.nats.client.impl.Headers;
import io.nats.client.support.NatsRequestCompletableFuture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a process, as the NATS client has it: in order, with what is published while it
 * is down sent when it is back, and requests that are given up after a while.
 */
public final class SimulatedConnection {
  static final String REQUESTS = "_REQ.";
  private static final Options OPTIONS = new Options.Builder().maxReconnects(-1).build();

  private final SimulatedProcess process;
  private final SimulatedServer server;
  private final Tap tap;
  private final Connection face;
  private final WaitingCalls calls;
  private final List<Outgoing> buffer = new ArrayList<>();
  private final List<SimulatedDispatcher> dispatchers = new ArrayList<>();
  private final List<ConnectionListener> listeners = new ArrayList<>();
  private final Map<String, NatsRequestCompletableFuture> requests = new TreeMap<>();
  private Connection.Status status = Connection.Status.CONNECTED;
  private Link link;
  private long inboxes;
  private long reconnects;

  public SimulatedConnection(SimulatedProcess process, SimulatedServer server, Tap tap) {
    this.process = process;
    this.server = server;
    this.tap = tap;
    this.face =
        Facade.of(
            Connection.class, new Face(this, new ProcessSurroundings(process)), Surroundings.class);
    this.calls = new WaitingCalls(server, this::requireThrough);
    this.link = server.accept(this);
  }

  /** What production code is given. */
  public Connection face() {
    return face;
  }

  SimulatedProcess process() {
    return process;
  }

  Link link() {
    return link;
  }

  /** Whether a request would reach the server now, and its answer the process. */
  boolean isThrough() {
    return status == Connection.Status.CONNECTED && !link.isBroken() && server.isUp();
  }

  /**
   * Calls that wait are made on threads that do nothing else meanwhile, so they take no time here;
   * without a connection they fail at once.
   */
  private void requireThrough() throws IOException {
    if (!process.isAlive() || !isThrough()) {
      throw new IOException("Timeout or no response waiting for NATS JetStream server");
    }
  }

  public boolean isConnected() {
    return status == Connection.Status.CONNECTED;
  }

  // Sending.

  void send(Outgoing message) {
    int size = message.body().length;
    for (Header line : message.headers()) {
      size += line.name().length() + line.value().length() + 4;
    }
    if (size > SimulatedServer.MAX_PAYLOAD) {
      throw new IllegalArgumentException("Message payload size exceed server configuration");
    }
    for (Outgoing each : tap.sends(message)) {
      process.command(() -> transmit(each));
    }
  }

  private void transmit(Outgoing message) {
    if (status == Connection.Status.CONNECTED) {
      link.up(() -> server.receive(link, message));
    } else {
      buffer.add(message);
    }
  }

  CompletableFuture<Message> request(Outgoing message, Duration timeout) {
    NatsRequestCompletableFuture answer =
        new NatsRequestCompletableFuture(
            NatsRequestCompletableFuture.CancelAction.CANCEL, timeout, false);
    requests.put(message.replyTo(), answer);
    send(message);
    process.in(
        timeout.toNanos(),
        () -> {
          if (requests.remove(message.replyTo()) != null) {
            answer.cancelTimedOut();
          }
        });
    return answer;
  }

  String newRequest() {
    inboxes++;
    return REQUESTS + inboxes;
  }

  String newInbox() {
    inboxes++;
    return "_INBOX." + inboxes;
  }

  void subscribe(String pattern) {
    Link now = link;
    process.command(() -> now.up(() -> now.subscribe(pattern)));
  }

  void unsubscribe(String pattern) {
    Link now = link;
    process.command(() -> now.up(() -> now.unsubscribe(pattern)));
  }

  void ping(Runnable pong) {
    Link now = link;
    process.command(() -> now.up(() -> now.down(pong, 0)));
  }

  // Receiving.

  /** Something arrived; called in the process. */
  void receive(String subject, Message message) {
    tap.receives(subject, message);
    if (subject.startsWith(REQUESTS)) {
      NatsRequestCompletableFuture answer = requests.remove(subject);
      if (answer == null) {
        return;
      }
      if (message.isStatusMessage() && message.getStatus().getCode() == 503) {
        answer.cancel(true);
      } else {
        answer.complete(message);
      }
      return;
    }
    for (SimulatedDispatcher dispatcher : List.copyOf(dispatchers)) {
      if (dispatcher.take(subject, message)) {
        return;
      }
    }
  }

  /** Sends it past the tap. */
  public void sendUntapped(Outgoing message) {
    process.command(() -> transmit(message));
  }

  /** Has the process believe that this was the answer. */
  public void pretend(String replyTo, String json) {
    process.in(
        0,
        () ->
            receive(
                replyTo,
                SimulatedMessage.of(replyTo, null, null, json.getBytes(StandardCharsets.UTF_8))));
  }

  // Breaking and coming back.

  /** The connection is lost; the process notices after a while, and tries until it has another. */
  public void lose(long noticedAfter, long backAfter) {
    link.breakAt(process.time().now() + process.random().nextLong(2_000_000));
    server.forgetLater(link);
    Link lost = link;
    process.in(
        noticedAfter,
        () -> {
          if (link == lost && isConnected()) {
            status = Connection.Status.RECONNECTING;
            tell(ConnectionListener.Events.DISCONNECTED);
            process.in(backAfter, this::reconnect);
          }
        });
  }

  /** Nothing passes for so long, and nobody notices. */
  public void stall(long nanos) {
    link.stallUntil(process.time().now() + nanos);
  }

  private void reconnect() {
    if (isConnected()) {
      return;
    }
    if (!server.isUp()) {
      process.in(200_000_000, this::reconnect);
      return;
    }
    link = server.accept(this);
    status = Connection.Status.CONNECTED;
    reconnects++;
    for (SimulatedDispatcher dispatcher : dispatchers) {
      dispatcher.handlers().keySet().forEach(this::subscribe);
    }
    List<Outgoing> waiting = List.copyOf(buffer);
    buffer.clear();
    waiting.forEach(this::transmit);
    tell(ConnectionListener.Events.RECONNECTED);
    tell(ConnectionListener.Events.RESUBSCRIBED);
  }

  @SuppressWarnings("deprecation") // what a listener has to implement
  private void tell(ConnectionListener.Events event) {
    for (ConnectionListener listener : List.copyOf(listeners)) {
      process.in(0, () -> listener.connectionEvent(face, event, 0L, ""));
    }
  }

  void remove(SimulatedDispatcher dispatcher) {
    dispatchers.remove(dispatcher);
  }

  // What production code sees of it.

  /** The methods of {@link Statistics} that production code uses. */
  public static final class Counts {
    private final SimulatedConnection connection;

    Counts(SimulatedConnection connection) {
      this.connection = connection;
    }

    public long getReconnects() {
      return connection.reconnects;
    }
  }

  /** The methods of {@link Connection} and {@link Surroundings} that production code uses. */
  public static final class Face extends SurroundingsFace {
    private final SimulatedConnection connection;

    Face(SimulatedConnection connection, Surroundings surroundings) {
      super(surroundings);
      this.connection = connection;
    }

    public void publish(String subject, byte[] body) {
      publish(subject, "", null, body);
    }

    public void publish(String subject, String replyTo, byte[] body) {
      publish(subject, replyTo, null, body);
    }

    private void publish(String subject, String replyTo, @Nullable Headers headers, byte[] body) {
      connection.send(new Outgoing(subject, replyTo, WireFormat.headers(headers), body));
    }

    public CompletableFuture<Message> requestWithTimeout(
        String subject, byte[] body, Duration timeout) {
      return requestWithTimeout(subject, null, body, timeout);
    }

    public CompletableFuture<Message> requestWithTimeout(
        String subject, @Nullable Headers headers, byte[] body, Duration timeout) {
      return connection.request(
          new Outgoing(subject, connection.newRequest(), WireFormat.headers(headers), body),
          timeout);
    }

    public Dispatcher createDispatcher() {
      SimulatedDispatcher dispatcher = new SimulatedDispatcher(connection);
      connection.dispatchers.add(dispatcher);
      return dispatcher.face();
    }

    public void closeDispatcher(Dispatcher closed) {
      for (SimulatedDispatcher dispatcher : List.copyOf(connection.dispatchers)) {
        if (dispatcher.face() == closed) {
          dispatcher.handlers().keySet().forEach(connection::unsubscribe);
          dispatcher.close();
        }
      }
    }

    public void addConnectionListener(ConnectionListener listener) {
      connection.listeners.add(listener);
    }

    public void removeConnectionListener(ConnectionListener listener) {
      connection.listeners.remove(listener);
    }

    public String createInbox() {
      return connection.newInbox();
    }

    public Connection.Status getStatus() {
      return connection.status;
    }

    public Statistics getStatistics() {
      return Facade.of(Statistics.class, new Counts(connection));
    }

    public long getMaxPayload() {
      return SimulatedServer.MAX_PAYLOAD;
    }

    public Options getOptions() {
      return OPTIONS;
    }

    public ServerInfo getServerInfo() {
      return connection.server.info();
    }

    public void clearLastError() {}

    public String getLastError() {
      return "";
    }

    public JetStreamManagement jetStreamManagement(JetStreamOptions options) {
      return connection.calls.management();
    }

    public @Nullable Message request(String subject, byte[] body, Duration timeout) {
      return connection.calls.request(subject, body);
    }

    public StreamContext getStreamContext(String stream, JetStreamOptions options) {
      return connection.calls.stream(stream);
    }
  }
}
