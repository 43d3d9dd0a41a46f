package dev.contrail.cli.connect;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How to speak TLS, where it is spoken.
 *
 * @param identity the certificate we show and its private key
 * @param ca whom to trust instead of the authorities the JVM knows
 * @param first whether the handshake comes before the server's greeting
 */
public record TlsSettings(Optional<Identity> identity, Optional<Path> ca, boolean first) {
  /** PEM files. */
  public record Identity(Path certificate, Path key) {}

  static TlsSettings none() {
    return new TlsSettings(Optional.empty(), Optional.empty(), false);
  }

  /** Whether anything was said that makes sense only with TLS. */
  boolean wanted() {
    return identity.isPresent() || ca.isPresent() || first;
  }
}
