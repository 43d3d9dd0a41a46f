package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate that a server under test presents and a client trusts. */
final class TestCertificate {
  private static final String PASSWORD = "changeit";

  private final Path certificate;
  private final Path key;
  private final SSLContext clientContext;

  /** One for 127.0.0.1. */
  TestCertificate(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
    this(folder, "ip:127.0.0.1");
  }

  /**
   * One for these hosts.
   *
   * @param hosts such as {@code dns:localhost}
   */
  TestCertificate(Path folder, String hosts)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = folder.resolve("server.p12");
    generate(store, hosts);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Key privateKey = keys.getKey("server", PASSWORD.toCharArray());
    key = pem(folder.resolve("key.pem"), "PRIVATE KEY", privateKey.getEncoded());
    certificate =
        pem(
            folder.resolve("certificate.pem"),
            "CERTIFICATE",
            keys.getCertificate("server").getEncoded());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("server"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    clientContext = SSLContext.getInstance("TLS");
    clientContext.init(null, trust.getTrustManagers(), null);
  }

  /** The {@code tls} block of a server's configuration. */
  String serverConfig() {
    // The server's own patience with a handshake is 2 s, too little on a busy machine.
    return "tls { cert_file: \"" + certificate + "\", key_file: \"" + key + "\", timeout: 60 }";
  }

  SSLContext clientContext() {
    return clientContext;
  }

  private static void generate(Path store, String hosts) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-dname",
            "CN=test",
            "-ext",
            "san=" + hosts,
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            store.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
    if (process.waitFor() != 0) {
      throw new IOException("keytool failed: " + output);
    }
  }

  private static Path pem(Path file, String label, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return Files.writeString(
        file, "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
  }
}
