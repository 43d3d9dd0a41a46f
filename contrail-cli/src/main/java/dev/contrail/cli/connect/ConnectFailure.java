package dev.contrail.cli.connect;

import dev.contrail.Durations;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.jetstream.ContrailException;
import io.nats.client.AuthenticationException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Says in one sentence why there is no connection. */
final class ConnectFailure {
  private static final String TLS_REQUIRED = "SSL required by server";
  private static final String TLS_UNKNOWN = "SSL connection wanted by client";

  private ConnectFailure() {}

  static boolean isTlsRequired(Throwable failure) {
    return says(failure, TLS_REQUIRED);
  }

  static CommandFailure explain(ContrailException failure, ConnectionSettings settings) {
    String servers = settings.shownServers();
    if (find(failure, AuthenticationException.class).isPresent() || isRefusal(failure)) {
      return CommandFailure.noServer(
          "the NATS server at " + servers + " refuses " + identity(settings), failure);
    }
    Optional<SSLException> tls = find(failure, SSLException.class);
    if (tls.isPresent()) {
      return CommandFailure.noServer(
          "TLS with the NATS server at " + servers + " failed: " + tlsReason(tls.get()), failure);
    }
    if (says(failure, TLS_UNKNOWN)) {
      return CommandFailure.noServer(
          "the NATS server at " + servers + " does not speak TLS", failure);
    }
    return CommandFailure.noServer(
        "no NATS server at " + servers + ": " + reason(failure, settings), failure);
  }

  private static boolean isRefusal(Throwable failure) {
    return says(failure, "Authorization Violation") || says(failure, "Authentication");
  }

  private static String identity(ConnectionSettings settings) {
    Credentials credentials = settings.credentials();
    boolean inUrl = settings.servers().stream().anyMatch(url -> url.contains("@"));
    return credentials instanceof Credentials.None && !inUrl
        ? "a client without credentials; give --creds, --nkey, --user or --context"
        : "the credentials";
  }

  private static String reason(Throwable failure, ConnectionSettings settings) {
    if (find(failure, UnknownHostException.class).isPresent()
        || find(failure, UnresolvedAddressException.class).isPresent()) {
      return "the host name is unknown";
    }
    if (find(failure, TimeoutException.class).isPresent()
        || find(failure, SocketTimeoutException.class).isPresent()) {
      return "no answer within " + Durations.format(settings.timeout());
    }
    if (find(failure, NoRouteToHostException.class).isPresent()) {
      return "there is no route to the host";
    }
    if (find(failure, ConnectException.class).isPresent()) {
      return "connection refused";
    }
    if (says(failure, "INFO") || says(failure, "Read channel closed")) {
      return "what answers there does not speak NATS";
    }
    return innermost(failure);
  }

  private static String tlsReason(SSLException failure) {
    String message = String.valueOf(failure.getMessage());
    if (message.contains("unable to find valid certification path")) {
      return "its certificate comes from an authority that is not trusted; name it with --tlsca";
    }
    if (message.contains("No subject alternative") || message.contains("No name matching")) {
      return "its certificate is for another host (" + message + ")";
    }
    if (message.contains("bad_certificate") || message.contains("certificate_required")) {
      return "it wants a certificate that it accepts; give --tlscert and --tlskey";
    }
    if (message.contains("plaintext connection")) {
      return "what answers there does not speak TLS";
    }
    return message;
  }

  private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return Optional.of(type.cast(t));
      }
    }
    return Optional.empty();
  }

  private static boolean says(Throwable failure, String words) {
    String wanted = words.toLowerCase(Locale.ROOT);
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (String.valueOf(t.getMessage()).toLowerCase(Locale.ROOT).contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  private static String innermost(Throwable failure) {
    Throwable t = failure;
    while (t.getCause() != null) {
      t = t.getCause();
    }
    return t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
  }
}
