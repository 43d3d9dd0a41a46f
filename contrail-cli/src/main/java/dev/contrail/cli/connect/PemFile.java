package dev.contrail.cli.connect;

import dev.contrail.cli.command.CommandFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and private keys from PEM files. */
final class PemFile {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
  private static final Map<String, Pkcs8.Wrapping> WRAPPINGS =
      Map.of(
          "PRIVATE KEY", Pkcs8::asIs,
          "RSA PRIVATE KEY", Pkcs8::fromRsa,
          "EC PRIVATE KEY", Pkcs8::fromEc);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519", "Ed448");

  private final Path path;
  private final List<Block> blocks;

  private record Block(String label, String body) {}

  private PemFile(Path path, List<Block> blocks) {
    this.path = path;
    this.blocks = blocks;
  }

  static PemFile read(Path path) {
    try {
      return parse(path, Files.readString(path, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw CommandFailure.usage(path + " cannot be read: " + Reason.of(e), e);
    }
  }

  static PemFile parse(Path path, String pem) {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(pem);
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1), matcher.group(2)));
    }
    return new PemFile(path, blocks);
  }

  List<Certificate> certificates() {
    List<Certificate> certificates = new ArrayList<>();
    for (Block block : blocks) {
      if (block.label().endsWith("CERTIFICATE")) {
        certificates.add(certificate(block));
      }
    }
    if (certificates.isEmpty()) {
      throw CommandFailure.usage(path + " holds no certificate in PEM format");
    }
    return certificates;
  }

  PrivateKey privateKey() {
    for (Block block : blocks) {
      Pkcs8.Wrapping wrapping = WRAPPINGS.get(block.label());
      if (block.label().equals("ENCRYPTED PRIVATE KEY") || block.body().contains("ENCRYPTED")) {
        throw CommandFailure.usage(
            path + " is encrypted; accepted is a private key without a passphrase");
      }
      if (wrapping != null) {
        return privateKey(wrapping.apply(curve(), bytes(block)));
      }
    }
    throw CommandFailure.usage(
        path + " holds no private key in PEM format; accepted are PKCS#8, PKCS#1 (RSA) and EC");
  }

  // openssl writes the curve of an EC key into a block of its own before the key.
  private byte[] curve() {
    for (Block block : blocks) {
      if (block.label().equals("EC PARAMETERS")) {
        return bytes(block);
      }
    }
    return new byte[0];
  }

  private PrivateKey privateKey(byte[] pkcs8) {
    return ALGORITHMS.stream()
        .flatMap(algorithm -> privateKey(algorithm, pkcs8).stream())
        .findFirst()
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    path
                        + " holds a private key that cannot be read; accepted are RSA, EC and EdDSA"
                        + " keys"));
  }

  private static Optional<PrivateKey> privateKey(String algorithm, byte[] pkcs8) {
    try {
      return Optional.of(
          KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8)));
    } catch (InvalidKeySpecException anotherAlgorithm) {
      return Optional.empty();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private Certificate certificate(Block block) {
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificate(new ByteArrayInputStream(bytes(block)));
    } catch (CertificateException e) {
      throw unreadable(e);
    }
  }

  private byte[] bytes(Block block) {
    try {
      return Base64.getMimeDecoder().decode(block.body().strip());
    } catch (IllegalArgumentException e) {
      throw unreadable(e);
    }
  }

  private CommandFailure unreadable(Exception e) {
    return CommandFailure.usage(path + " is damaged: " + e.getMessage(), e);
  }
}
