package dev.contrail.console.access;

import java.time.Instant;
import java.util.Optional;

/**
 * A token as it is stored: whose it is, and the hash of what they hold.
 *
 * @param id is part of the token itself, and no secret
 * @param name of whoever holds it, as it is written into events
 * @param sha256 of the secret part, in hex. The secret has 256 random bits, so that no slow hash is
 *     needed to keep it from being guessed
 * @param revokedAt from when on it is worth nothing; it is kept so that its name stays explained
 */
public record Token(
    String id,
    String name,
    Role role,
    String sha256,
    Instant createdAt,
    String createdBy,
    Optional<Instant> revokedAt) {
  public boolean isRevoked() {
    return revokedAt.isPresent();
  }

  /** The same, revoked. */
  public Token revoked(Instant at) {
    return new Token(id, name, role, sha256, createdAt, createdBy, Optional.of(at));
  }

  /** Whether that is its secret, and it is worth something. */
  public boolean accepts(TokenText presented) {
    return !isRevoked() && presented.id().equals(id) && presented.isOf(sha256);
  }
}
