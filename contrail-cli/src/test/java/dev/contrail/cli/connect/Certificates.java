package dev.contrail.cli.connect;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A self-signed certificate and its key, as PEM files.
 *
 * @param pkcs8 the key as the JDK writes it
 */
public record Certificates(Path certificate, Path key, Pem pkcs8) {
  private static final String PASSWORD = "changeit";

  /** The bytes within a PEM block. */
  public static final class Pem {
    private final byte[] der;

    Pem(byte[] der) {
      this.der = der;
    }

    byte[] der() {
      return der.clone();
    }
  }

  /**
   * Makes one with the JDK's own tool.
   *
   * @param algorithm such as RSA
   * @param names such as {@code ip:127.0.0.1}
   */
  public static Certificates make(Path folder, String name, String algorithm, String names)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = folder.resolve(name + ".p12");
    keytool(
        "-genkeypair",
        "-alias",
        "it",
        "-keyalg",
        algorithm,
        "-dname",
        "CN=" + name,
        "-ext",
        "san=" + names,
        "-ext",
        "bc=ca:true",
        "-storetype",
        "PKCS12",
        "-storepass",
        PASSWORD,
        "-keystore",
        store.toString());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    byte[] key = keys.getKey("it", PASSWORD.toCharArray()).getEncoded();
    byte[] certificate = keys.getCertificate("it").getEncoded();
    return new Certificates(
        pem(folder.resolve(name + ".pem"), "CERTIFICATE", certificate),
        pem(folder.resolve(name + "-key.pem"), "PRIVATE KEY", key),
        new Pem(key));
  }

  static Path pem(Path file, String label, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return Files.writeString(
        file, "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
  }

  private static void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new java.util.ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(Arrays.asList(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool failed: " + output);
    }
  }

  public String serverConfig(String more) {
    // The server's own patience with a handshake is 2 s, too little on a busy machine.
    return "tls { cert_file: \"%s\", key_file: \"%s\", timeout: 60\n%s\n}"
        .formatted(certificate, key, more);
  }
}
