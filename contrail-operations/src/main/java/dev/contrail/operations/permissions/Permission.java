package dev.contrail.operations.permissions;

import java.util.Optional;

/**
 * One thing that a user must be allowed.
 *
 * @param without what is lost where it is not allowed; empty when the command fails then, or cannot
 *     do all that it is for
 */
public record Permission(Verb verb, String subject, Optional<String> without) {
  /** What is done with the subject. */
  public enum Verb {
    PUBLISH,
    SUBSCRIBE
  }

  static Permission publish(String subject) {
    return new Permission(Verb.PUBLISH, subject, Optional.empty());
  }

  /** A request to JetStream. */
  static Permission call(String call) {
    return publish("$JS.API." + call);
  }

  static Permission subscribe(String subject) {
    return new Permission(Verb.SUBSCRIBE, subject, Optional.empty());
  }

  Permission orElse(String lost) {
    return new Permission(verb, subject, Optional.of(lost));
  }
}
