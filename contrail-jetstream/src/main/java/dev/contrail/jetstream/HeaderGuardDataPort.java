package dev.contrail.jetstream;

import io.nats.client.Connection;
import io.nats.client.impl.SocketDataPortWithWriteTimeout;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A jnats data port on which a message with hostile headers (a value with a byte above 127 is legal
 * for the server) arrives as an ordinary message instead of killing the reader thread. The harmless
 * headers of such a message are kept; {@link RawHeaders} gives its original header block.
 *
 * <p>After a reconnect it does not send the acks and NAKs that the lost connection had left in the
 * queue.
 *
 * <p>{@link Contrail#options(String)} sets it; by hand it is {@code
 * dataPortType(HeaderGuardDataPort.class.getName())}. It serves plain, TLS and websocket
 * connections alike. Public because jnats makes it by name.
 */
public class HeaderGuardDataPort extends SocketDataPortWithWriteTimeout {
  private static final Logger log = LoggerFactory.getLogger(HeaderGuardDataPort.class);
  private static final AtomicLong MARKS = new AtomicLong();

  private final HeaderGuard guard = new HeaderGuard();
  private final StaleAcks staleAcks = new StaleAcks(Long.toString(MARKS.incrementAndGet()));
  private Phase phase = Phase.NEW;

  private enum Phase {
    NEW,
    RECONNECTING,
    MARKED,
    OPEN
  }

  /** For jnats, which makes a new one for each connection attempt. */
  public HeaderGuardDataPort() {}

  @Override
  public int read(byte[] dst, int off, int len) throws IOException {
    return guard.read(in, dst, off, len);
  }

  @Override
  public void write(byte[] src, int toWrite) throws IOException {
    if (phase == Phase.OPEN) {
      super.write(src, toWrite);
      return;
    }
    advance();
    int remaining = phase == Phase.OPEN ? toWrite : staleAcks.cut(src, toWrite);
    if (remaining > 0) {
      super.write(src, remaining);
    }
    if (staleAcks.markPassed()) {
      phase = Phase.OPEN;
    }
  }

  @Override
  public void upgradeToSecure() throws IOException {
    if (guard.holdsBytes()) {
      throw new IOException("The server sent more than its INFO before the TLS handshake");
    }
    super.upgradeToSecure();
  }

  // jnats writes what was left in its queue only after it counts as connected again.
  private void advance() {
    Connection owner = connection;
    Connection.Status status = owner.getStatus();
    if (phase == Phase.NEW) {
      phase = status == Connection.Status.RECONNECTING ? Phase.RECONNECTING : Phase.OPEN;
    } else if (phase == Phase.RECONNECTING && status == Connection.Status.CONNECTED) {
      try {
        owner.publish(staleAcks.mark(), new byte[0]);
        phase = Phase.MARKED;
      } catch (IllegalStateException e) {
        log.debug("the queue takes no mark yet, the next write tries again", e);
      }
    }
  }
}
