package dev.contrail.console.access;

import java.util.Optional;

/** The tokens there are. Answers from memory, to several threads. */
public interface TokenBook {
  /** Nobody needs a token. */
  TokenBook NONE =
      new TokenBook() {
        @Override
        public Standing standing() {
          return Standing.NONE_YET;
        }

        @Override
        public Optional<Token> find(String id) {
          return Optional.empty();
        }
      };

  /** Whether there are any. */
  enum Standing {
    /** They were not read yet. */
    UNKNOWN,
    /** There never was one. */
    NONE_YET,
    /** There is one, or was; one that was revoked does not open the door again. */
    SOME
  }

  Standing standing();

  /** The token with that id, revoked or not. */
  Optional<Token> find(String id);
}
