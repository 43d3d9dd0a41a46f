package dev.contrail.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.cli.command.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PemFileTest {
  private static final byte[] P256 = {
    0x06, 0x08, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x03, 0x01, 0x07
  };

  private final Path folder;

  PemFileTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static PrivateKey key(String algorithm) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("EC")) {
      generator.initialize(new ECGenParameterSpec("secp256r1"));
    }
    KeyPair pair = generator.generateKeyPair();
    return pair.getPrivate();
  }

  private PrivateKey read(String label, byte[] der) throws IOException {
    return PemFile.read(Certificates.pem(folder.resolve("key.pem"), label, der)).privateKey();
  }

  // The older encodings are the octet string at the end of PKCS#8.
  private static byte[] inner(byte[] pkcs8, int start) {
    for (int i = start; i < pkcs8.length; i++) {
      if (pkcs8[i] == 0x30) {
        return Arrays.copyOfRange(pkcs8, i, pkcs8.length);
      }
    }
    throw new AssertionError("no inner key");
  }

  @Test
  void pkcs8_keys_of_all_kinds_are_read() throws Exception {
    for (String algorithm : new String[] {"RSA", "EC", "Ed25519"}) {
      PrivateKey key = key(algorithm);
      assertThat(read("PRIVATE KEY", key.getEncoded())).isEqualTo(key);
    }
  }

  @Test
  void an_rsa_key_in_pkcs1_is_read() throws Exception {
    PrivateKey key = key("RSA");
    PrivateKey read = read("RSA PRIVATE KEY", inner(key.getEncoded(), 22));
    assertThat(((RSAPrivateKey) read).getPrivateExponent())
        .isEqualTo(((RSAPrivateKey) key).getPrivateExponent());
  }

  @Test
  void an_ec_key_is_read_with_its_curve_inside_or_beside_it() throws Exception {
    ECPrivateKey key = (ECPrivateKey) key("EC");
    byte[] bare = inner(key.getEncoded(), 26);
    assertThat(((ECPrivateKey) read("EC PRIVATE KEY", withCurve(bare))).getS())
        .isEqualTo(key.getS());
    String beside =
        "-----BEGIN EC PARAMETERS-----\n"
            + Base64.getEncoder().encodeToString(P256)
            + "\n-----END EC PARAMETERS-----\n"
            + Files.readString(Certificates.pem(folder.resolve("b"), "EC PRIVATE KEY", bare));
    Path file = Files.writeString(folder.resolve("beside.pem"), beside);
    assertThat(((ECPrivateKey) PemFile.read(file).privateKey()).getS()).isEqualTo(key.getS());
  }

  private static byte[] withCurve(byte[] bare) {
    int privateKeyEnd = 2 + 3 + 2 + 32;
    byte[] key = new byte[privateKeyEnd + 2 + P256.length];
    System.arraycopy(bare, 0, key, 0, privateKeyEnd);
    key[1] = (byte) (key.length - 2);
    key[privateKeyEnd] = (byte) 0xA0;
    key[privateKeyEnd + 1] = (byte) P256.length;
    System.arraycopy(P256, 0, key, privateKeyEnd + 2, P256.length);
    return key;
  }

  @Test
  void what_cannot_be_used_is_refused_in_one_sentence() throws IOException {
    refused("not a key at all", "holds no private key in PEM format", "PKCS#8");
    refused(
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
        "is encrypted",
        "without a passphrase");
    refused(
        """
        -----BEGIN RSA PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED

        AAAA
        -----END RSA PRIVATE KEY-----
        """,
        "is encrypted");
    refused(
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "cannot be read", "RSA");
    for (byte[] damaged : new byte[][] {{}, {0x30}, {0x30, (byte) 0x84, 1}, {0x30, 5, 4, 127, 1}}) {
      assertThatThrownBy(() -> read("EC PRIVATE KEY", damaged)).isInstanceOf(CommandFailure.class);
    }
    assertThatThrownBy(() -> PemFile.read(folder.resolve("missing")))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("there is no such file");
    Path noCertificate = Files.writeString(folder.resolve("c"), "x");
    assertThatThrownBy(() -> PemFile.read(noCertificate).certificates())
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("holds no certificate");
    Path damaged = Certificates.pem(folder.resolve("d"), "CERTIFICATE", new byte[] {1, 2});
    assertThatThrownBy(() -> PemFile.read(damaged).certificates())
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is damaged");
  }

  private void refused(String content, String... words) throws IOException {
    Path file = Files.writeString(folder.resolve("bad.pem"), content);
    assertThatThrownBy(() -> PemFile.read(file).privateKey())
        .isInstanceOf(CommandFailure.class)
        .message()
        .contains(words);
  }
}
