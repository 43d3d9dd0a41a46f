package dev.contrail.jetstream;

import io.nats.client.impl.SocketDataPortWithWriteTimeout;
import java.io.IOException;

/**
 * A jnats data port on which a message with hostile headers (a value with a byte above 127 is legal
 * for the server) arrives as an ordinary message instead of killing the reader thread. The harmless
 * headers of such a message are kept; {@link RawHeaders} gives its original header block.
 *
 * <p>{@link Contrail#options(String)} sets it; by hand it is {@code
 * dataPortType(HeaderGuardDataPort.class.getName())}. It serves plain, TLS and websocket
 * connections alike. Public because jnats makes it by name.
 */
public class HeaderGuardDataPort extends SocketDataPortWithWriteTimeout {
  private final HeaderGuard guard = new HeaderGuard();

  /** For jnats, which makes a new one for each connection attempt. */
  public HeaderGuardDataPort() {}

  @Override
  public int read(byte[] dst, int off, int len) throws IOException {
    return guard.read(in, dst, off, len);
  }

  @Override
  public void upgradeToSecure() throws IOException {
    if (guard.holdsBytes()) {
      throw new IOException("The server sent more than its INFO before the TLS handshake");
    }
    super.upgradeToSecure();
  }
}
