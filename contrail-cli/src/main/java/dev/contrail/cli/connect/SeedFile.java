package dev.contrail.cli.connect;

import dev.contrail.cli.command.CommandFailure;
import io.nats.client.AuthHandler;
import io.nats.client.NKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/** Signs the server's challenge with the seed in a file, which may be wrapped in dashed lines. */
final class SeedFile implements AuthHandler {
  private final NKey nkey;
  private final char @Nullable [] jwt;

  private SeedFile(NKey nkey, char @Nullable [] jwt) {
    this.nkey = nkey;
    this.jwt = jwt;
  }

  static SeedFile read(Path file) {
    try {
      String seed =
          Files.readAllLines(file).stream()
              .map(String::strip)
              .filter(line -> line.startsWith("S"))
              .findFirst()
              .orElse("");
      return new SeedFile(NKey.fromSeed(seed.toCharArray()), null);
    } catch (IOException e) {
      throw CommandFailure.usage("the nkey file " + file + " cannot be read: " + Reason.of(e), e);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("the nkey file " + file + " holds no seed", e);
    }
  }

  SeedFile withJwt(String token) {
    return new SeedFile(nkey, token.toCharArray());
  }

  @Override
  public byte[] sign(byte[] nonce) {
    try {
      return nkey.sign(nonce);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the server's challenge cannot be signed", e);
    }
  }

  @Override
  public char[] getID() {
    try {
      return nkey.getPublicKey();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the seed has no public key", e);
    }
  }

  @Override
  public char @Nullable [] getJWT() {
    return jwt == null ? null : jwt.clone();
  }
}
