package dev.contrail.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;

/** A certificate that a Redis under test presents. */
final class TestCertificate {
  static final String PASSWORD = "changeit";

  /** As PEM files, as redis-server wants them. */
  final Path certificate;

  final Path key;

  /** Where a JVM finds it that is to trust it. */
  final Path store;

  /**
   * One that nobody else has signed.
   *
   * @param host such as {@code dns:localhost}
   */
  TestCertificate(Path folder, String name, String host)
      throws IOException, GeneralSecurityException, InterruptedException {
    store = folder.resolve("server.p12");
    generate(store, name, host);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    byte[] privateKey = keys.getKey("server", PASSWORD.toCharArray()).getEncoded();
    key = pem(folder.resolve("key.pem"), "PRIVATE KEY", privateKey);
    Certificate own = keys.getCertificate("server");
    certificate = pem(folder.resolve("certificate.pem"), "CERTIFICATE", own.getEncoded());
    // Nobody is trusted for being among one's own keys.
    keys.deleteEntry("server");
    keys.setCertificateEntry("trusted", own);
    try (OutputStream out = Files.newOutputStream(store)) {
      keys.store(out, PASSWORD.toCharArray());
    }
  }

  private static void generate(Path store, String name, String host)
      throws IOException, InterruptedException {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder(
                List.of(
                    keytool,
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=" + host,
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD,
                    "-keystore",
                    store.toString()))
            .redirectErrorStream(true)
            .start();
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
