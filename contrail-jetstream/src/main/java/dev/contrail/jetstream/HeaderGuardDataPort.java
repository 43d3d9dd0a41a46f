package dev.contrail.jetstream;

import io.nats.client.Connection;
import io.nats.client.Options;
import io.nats.client.impl.SocketDataPortWithWriteTimeout;
import io.nats.client.support.NatsUri;
import java.io.EOFException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A jnats data port on which a message with hostile headers (a value with a byte above 127 is legal
 * for the server) arrives as an ordinary message instead of killing the reader thread. The harmless
 * headers of such a message are kept; {@link RawHeaders} gives its original header block.
 *
 * <p>After a reconnect it does not send the acks and NAKs that the lost connection had left in the
 * queue. With TLS, it takes a server's certificate only if that is for the host that was asked for.
 * Deliveries to Contrail's consumers and their acks take a shorter way through it.
 *
 * <p>{@link Contrail#options(String)} sets it; by hand it is {@code
 * dataPortType(HeaderGuardDataPort.class.getName())}. It serves plain, TLS and websocket
 * connections alike. Public because jnats makes it by name.
 */
public class HeaderGuardDataPort extends SocketDataPortWithWriteTimeout {
  private static final Logger log = LoggerFactory.getLogger(HeaderGuardDataPort.class);
  private static final AtomicLong MARKS = new AtomicLong();
  private static final long MARK_EVERY = Duration.ofMillis(100).toNanos();

  private @Nullable HeaderGuard incoming;
  private @Nullable OutgoingGuard outgoing;
  private Phase phase = Phase.NEW;
  private Optional<NatsUri> tried = Optional.empty();
  private boolean heard;
  private OptionalLong markTriedNanos = OptionalLong.empty();

  private enum Phase {
    NEW,
    RECONNECTING,
    OPEN
  }

  /** For jnats, which makes a new one for each connection attempt. */
  public HeaderGuardDataPort() {}

  @Override
  public void afterConstruct(Options options) {
    super.afterConstruct(options);
    if (options.getServerPool() instanceof NamedServers servers) {
      tried = servers.tried();
    }
  }

  @Override
  public final int read(byte[] dst, int off, int len) throws IOException {
    try {
      int count = incoming().read(in, dst, off, len);
      if (count < 0) {
        reportHangUp(new EOFException("the server closed the connection"));
      }
      heard = true;
      return count;
    } catch (IOException e) {
      reportHangUp(e);
      throw e;
    } catch (RuntimeException | Error e) {
      // jnats' reader would end with it, and the connection go on without one.
      throw new IOException("what the server sent could not be read: " + e, e);
    }
  }

  // A connection that ends after the INFO and before it stands, jnats reports as a timeout.
  private void reportHangUp(IOException failure) {
    Connection owner = connection;
    Connection.Status status = owner.getStatus();
    boolean connecting =
        status == Connection.Status.CONNECTING || status == Connection.Status.RECONNECTING;
    if (heard && connecting && !socket.isClosed()) {
      Options options = owner.getOptions();
      options
          .getCallbackExecutor()
          .execute(() -> options.getErrorListener().exceptionOccurred(owner, failure));
    }
  }

  @Override
  public final void write(byte[] src, int toWrite) throws IOException {
    if (phase != Phase.OPEN) {
      advance();
    }
    int remaining = outgoing().pass(src, toWrite);
    if (remaining > 0) {
      send(src, remaining);
    }
  }

  /**
   * Sends whole messages of the protocol, as they are to reach the server. For those who look at
   * what goes out.
   */
  protected void send(byte[] src, int toWrite) throws IOException {
    super.write(src, toWrite);
  }

  @Override
  public void upgradeToSecure() throws IOException {
    if (incoming().holdsBytes()) {
      throw new IOException("The server sent more than its INFO before the TLS handshake");
    }
    Connection owner = connection;
    NatsUri server = tried.isPresent() ? tried.get() : dialled();
    SSLSocket secured = new TlsUpgrade(owner.getOptions()).of(socket, server);
    socket = secured;
    in = secured.getInputStream();
    out = secured.getOutputStream();
    isSecure = true;
  }

  // The connection is known only by now. jnats begins to read and write on one thread, and hands
  // both over to others before they go on side by side.
  private HeaderGuard incoming() {
    HeaderGuard guard = incoming;
    if (guard == null) {
      guard = new HeaderGuard(Shortcuts.of(connection));
      incoming = guard;
    }
    return guard;
  }

  private OutgoingGuard outgoing() {
    OutgoingGuard guard = outgoing;
    if (guard == null) {
      String name = Long.toString(MARKS.incrementAndGet());
      guard = new OutgoingGuard(name, Shortcuts.of(connection));
      outgoing = guard;
    }
    return guard;
  }

  private NatsUri dialled() throws IOException {
    try {
      return new NatsUri("nats://" + host + ":" + port);
    } catch (URISyntaxException e) {
      throw new IOException(host + ":" + port + " is no address of a server", e);
    }
  }

  // jnats writes what was left in its queue only after it counts as connected again.
  private void advance() {
    Connection owner = connection;
    Connection.Status status = owner.getStatus();
    if (phase == Phase.NEW) {
      phase = status == Connection.Status.RECONNECTING ? Phase.RECONNECTING : Phase.OPEN;
      if (phase == Phase.RECONNECTING) {
        outgoing().cutAcks();
      }
    } else if (phase == Phase.RECONNECTING && status == Connection.Status.CONNECTED) {
      if (outgoing().cutsAcks()) {
        publishMark(owner);
      } else {
        phase = Phase.OPEN;
      }
    }
  }

  // Not on this thread, which alone makes room in a full queue; and again for as long as none has
  // come by, for a client may be told to discard what its queue has no room for.
  private void publishMark(Connection owner) {
    long now = System.nanoTime();
    if (markTriedNanos.isPresent() && now - markTriedNanos.getAsLong() < MARK_EVERY) {
      return;
    }
    markTriedNanos = OptionalLong.of(now);
    String mark = outgoing().mark();
    owner
        .getOptions()
        .getCallbackExecutor()
        .execute(
            () -> {
              try {
                owner.publish(mark, new byte[0]);
              } catch (IllegalStateException e) {
                log.debug("the queue takes no mark yet, a later write tries again", e);
              }
            });
  }
}
