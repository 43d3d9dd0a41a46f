package dev.contrail.cli.connect;

import dev.contrail.cli.command.CommandFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** Makes the TLS context that the settings describe. */
public final class TlsContext {
  private TlsContext() {}

  /**
   * Makes the context.
   *
   * @param certificateAsked set when a server asks for a certificate
   */
  static SSLContext of(TlsSettings settings, AtomicBoolean certificateAsked) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      KeyManager keys =
          new CertificateDemand(
              settings.identity().isPresent() ? keys(settings.identity().get()) : null,
              certificateAsked);
      context.init(new KeyManager[] {keys}, trustManagers(settings.ca()), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw CommandFailure.usage("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  /**
   * Makes that of a server, which shows these certificates.
   *
   * @throws CommandFailure when they cannot be read
   */
  public static SSLContext ofServer(TlsSettings.Identity identity) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys(identity)}, null, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw CommandFailure.usage("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  private static X509ExtendedKeyManager keys(TlsSettings.Identity identity)
      throws GeneralSecurityException, IOException {
    List<Certificate> chain = PemFile.read(identity.certificate()).certificates();
    PrivateKey key = PemFile.read(identity.key()).privateKey();
    KeyStore store = emptyStore();
    store.setKeyEntry("client", key, new char[0], chain.toArray(Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return Arrays.stream(factory.getKeyManagers())
        .filter(X509ExtendedKeyManager.class::isInstance)
        .map(X509ExtendedKeyManager.class::cast)
        .findFirst()
        .orElseThrow(() -> new GeneralSecurityException("the JVM has no X.509 key manager"));
  }

  private static TrustManager[] trustManagers(Optional<Path> ca)
      throws GeneralSecurityException, IOException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(ca.isPresent() ? storeOf(ca.get()) : null);
    return factory.getTrustManagers();
  }

  private static KeyStore storeOf(Path ca) throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    int number = 0;
    for (Certificate certificate : PemFile.read(ca).certificates()) {
      store.setCertificateEntry("ca-" + number++, certificate);
    }
    return store;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
  }
}
