package dev.contrail.cli.connect;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a server asks for a certificate. With TLS 1.3 it hangs up on a client without one
 * only after the handshake, and the NATS client reports nothing but a timeout.
 */
final class CertificateDemand extends X509ExtendedKeyManager {
  private final @Nullable X509ExtendedKeyManager keys;
  private final AtomicBoolean asked;

  /**
   * Shows what {@code keys} has, or nothing.
   *
   * @param asked set when the server asks
   */
  CertificateDemand(@Nullable X509ExtendedKeyManager keys, AtomicBoolean asked) {
    this.keys = keys;
    this.asked = asked;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    asked.set(true);
    return keys == null ? null : keys.chooseClientAlias(keyType, issuers, socket);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return keys == null ? null : keys.getClientAliases(keyType, issuers);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return keys == null ? null : keys.getCertificateChain(alias);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return keys == null ? null : keys.getPrivateKey(alias);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
