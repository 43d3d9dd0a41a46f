package dev.contrail.cli.connect;

import java.nio.file.Path;

/** Who we are for the server. Never prints a secret. */
public sealed interface Credentials {
  record None() implements Credentials {}

  record UserAndPassword(String user, String password) implements Credentials {
    @Override
    public String toString() {
      return "user " + user;
    }
  }

  record Token(String token) implements Credentials {
    @Override
    public String toString() {
      return "token";
    }
  }

  /** A file with a JWT and a seed. */
  record CredsFile(Path file) implements Credentials {}

  /** A file with a seed. */
  record NkeyFile(Path file) implements Credentials {}

  /** A JWT from a context, signed with the seed in a file. */
  record JwtAndNkey(String jwt, Path nkeyFile) implements Credentials {
    @Override
    public String toString() {
      return "JWT and " + nkeyFile;
    }
  }
}
