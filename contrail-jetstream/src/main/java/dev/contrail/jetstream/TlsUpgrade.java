package dev.contrail.jetstream;

import io.nats.client.Options;
import io.nats.client.support.NatsInetAddress;
import io.nats.client.support.NatsUri;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collection;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS handshake with a server, which must show a certificate for the host that was asked for.
 * jnats asks for any trusted certificate only, so that anybody who has one could pass for the
 * server; and where its handshake is not answered it may wait for ever.
 */
final class TlsUpgrade {
  private static final Logger log = LoggerFactory.getLogger(TlsUpgrade.class);
  private static final String UNCHECKED_SCHEME = "opentls";

  private final Options options;

  TlsUpgrade(Options options) {
    this.options = options;
  }

  /** The connected socket, secured. */
  SSLSocket of(Socket socket, NatsUri server) throws IOException {
    Collection<NatsUri> configured = options.getNatsServerUris();
    String host =
        CertificateHost.of(server, configured, name -> leadsTo(name, socket.getInetAddress()));
    SSLSocket secured =
        (SSLSocket)
            options
                .getSslContext()
                .getSocketFactory()
                .createSocket(socket, host, server.getPort(), true);
    secured.setUseClientMode(true);
    if (isChecked(configured)) {
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secured.setSSLParameters(parameters);
    }
    int readTimeout = secured.getSoTimeout();
    secured.setSoTimeout(handshakeTimeout());
    secured.startHandshake();
    secured.setSoTimeout(readTimeout);
    return secured;
  }

  // Zero would be for ever.
  private int handshakeTimeout() {
    long millis = options.getConnectionTimeout().toMillis();
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, millis));
  }

  // One such address makes jnats trust any certificate for the whole list.
  private static boolean isChecked(Collection<NatsUri> configured) {
    return configured.stream().noneMatch(uri -> uri.getScheme().equals(UNCHECKED_SCHEME));
  }

  private static boolean leadsTo(String name, InetAddress address) {
    try {
      return Arrays.asList(NatsInetAddress.getAllByName(name)).contains(address);
    } catch (UnknownHostException e) {
      log.debug("{} leads nowhere", name, e);
      return false;
    }
  }
}
