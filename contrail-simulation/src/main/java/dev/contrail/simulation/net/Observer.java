package dev.contrail.simulation.net;

import dev.contrail.jetstream.Surroundings;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.Options;
import io.nats.client.StreamContext;
import io.nats.client.api.ServerInfo;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A process that only asks, one question after the other. Each takes a while, in which everybody
 * else goes on, and is answered as things are then. A schedule is the same whether there is one or
 * not.
 */
public final class Observer {
  private static final long LONGEST_ANSWER = 3_000_000;
  private static final Options OPTIONS = new Options.Builder().maxReconnects(-1).build();

  private final VirtualTime time;
  private final SimulatedServer server;
  private final SplittableRandom random;
  private final WaitingCalls calls;
  private final Connection face;

  public Observer(VirtualTime time, SimulatedServer server, SplittableRandom random) {
    this.time = time;
    this.server = server;
    this.random = random;
    this.calls = new WaitingCalls(server, this::await);
    SimulatedProcess process = new SimulatedProcess("observer", time, random);
    this.face =
        Facade.of(
            Connection.class, new Face(this, new ProcessSurroundings(process)), Surroundings.class);
  }

  /** What production code is given. */
  public Connection face() {
    return face;
  }

  private void await() throws IOException {
    time.runUntil(time.now() + random.nextLong(LONGEST_ANSWER));
    if (!server.isUp()) {
      throw new IOException("Timeout or no response waiting for NATS JetStream server");
    }
  }

  /** The methods of {@link Connection} that those use who only ask. */
  public static final class Face extends SurroundingsFace {
    private final Observer observer;

    Face(Observer observer, Surroundings surroundings) {
      super(surroundings);
      this.observer = observer;
    }

    public @Nullable Message request(String subject, byte[] body, Duration timeout) {
      return observer.calls.request(subject, body);
    }

    public CompletableFuture<Message> requestWithTimeout(
        String subject, @Nullable Headers headers, byte[] body, Duration timeout) {
      @Nullable Message answer = observer.calls.request(subject, body);
      return answer == null
          ? CompletableFuture.failedFuture(new IOException("no answer in time"))
          : CompletableFuture.completedFuture(answer);
    }

    public JetStreamManagement jetStreamManagement(JetStreamOptions options) {
      return observer.calls.management();
    }

    public StreamContext getStreamContext(String stream, JetStreamOptions options) {
      return observer.calls.stream(stream);
    }

    public Connection.Status getStatus() {
      return Connection.Status.CONNECTED;
    }

    public long getMaxPayload() {
      return SimulatedServer.MAX_PAYLOAD;
    }

    public Options getOptions() {
      return OPTIONS;
    }

    public ServerInfo getServerInfo() {
      return observer.server.info();
    }
  }
}
