package dev.contrail.jetstream;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Says in one sentence why JetStream did not do what it was asked to. */
final class JetStreamFailure {
  private static final int NOT_ENABLED_FOR_ACCOUNT = 10039;
  private static final int NOT_ENABLED = 10076;

  private JetStreamFailure() {}

  /**
   * The request was not answered, or could not be sent, which the client tells by an {@link
   * IllegalStateException}.
   *
   * @param task what it was for, such as {@code look at stream ORDERS}
   * @param calls what was asked of the API, such as {@code STREAM.INFO.ORDERS}; what the server
   *     last refused may have been another one's
   */
  static ContrailException unanswered(
      Connection connection, String task, Exception cause, String... calls) {
    Optional<String> violation =
        permissionsViolation(connection)
            .filter(
                it ->
                    isAbout(it, connection.getOptions().getInboxPrefix())
                        || Arrays.stream(calls).anyMatch(call -> isAbout(it, call)));
    if (violation.isPresent()) {
      return new ContrailException(
          "This user may not "
              + task
              + " ("
              + violation.get()
              + "); “contrail init --print” lists the permissions that a worker needs.",
          cause);
    }
    if (connection.getStatus() != Connection.Status.CONNECTED) {
      return new ServerUnavailableException(
          "The NATS server went away while it was asked to " + task + ".", cause);
    }
    if (!connection.getServerInfo().isJetStreamAvailable()) {
      return noJetStream(connection, cause);
    }
    return new ContrailException(
        "The NATS server does not answer the request to "
            + task
            + "; it may have lost its cluster's majority, or JetStream is off for this account.",
        cause);
  }

  /** The server answered with an error. */
  static ContrailException refused(
      Connection connection, String task, JetStreamApiException cause) {
    int code = cause.getApiErrorCode();
    return code == NOT_ENABLED_FOR_ACCOUNT || code == NOT_ENABLED
        ? noJetStream(connection, cause)
        : new ContrailException(
            "The NATS server refuses to " + task + ": " + cause.getErrorDescription() + ".", cause);
  }

  private static ContrailException noJetStream(Connection connection, Exception cause) {
    String server =
        Optional.ofNullable(connection.getConnectedUrl())
            .map(ServerUrls::withoutCredentials)
            .orElse("this address");
    return new ContrailException(
        "The NATS server at "
            + server
            + " has no JetStream for this account; start it with -js, or add a jetstream block to"
            + " its configuration.",
        cause);
  }

  /** What the server last said that this user may not do. */
  static Optional<String> permissionsViolation(Connection connection) {
    return Optional.ofNullable(connection.getLastError())
        .filter(error -> isAbout(error, "permissions violation"));
  }

  // The client may have changed the case of what the server said.
  static boolean isAbout(String violation, String subject) {
    return violation.toLowerCase(Locale.ROOT).contains(subject.toLowerCase(Locale.ROOT));
  }
}
