package dev.contrail.cli.connect;

import dev.contrail.Durations;
import dev.contrail.cli.command.CommandFailure;
import io.nats.client.AuthenticationException;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Why there is no connection. The cause is the most telling exception there was. */
final class ConnectFailure extends Exception {
  private static final long serialVersionUID = 1L;
  private static final String TLS_REQUIRED = "SSL required by server";
  private static final String TLS_UNKNOWN = "SSL connection wanted by client";

  private final boolean certificateAsked;

  private ConnectFailure(String message, Throwable cause, boolean certificateAsked) {
    super(message, cause);
    this.certificateAsked = certificateAsked;
  }

  /** The server said no, in these words. */
  static ConnectFailure refused(String words) {
    return new ConnectFailure(words, new AuthenticationException(words), false);
  }

  /**
   * The attempt failed.
   *
   * @param reason what the client told its listener about it
   * @param certificateAsked whether the server asked for a certificate
   */
  static ConnectFailure of(
      Throwable failure, Optional<Exception> reason, boolean certificateAsked) {
    if (find(failure, AuthenticationException.class).isPresent()) {
      return new ConnectFailure("refused", failure, certificateAsked);
    }
    return new ConnectFailure(
        "failed", reason.map(Throwable.class::cast).orElse(failure), certificateAsked);
  }

  boolean isTlsRequired() {
    return says(TLS_REQUIRED);
  }

  /** The same as a sentence for people. */
  CommandFailure explain(ConnectionSettings settings) {
    String servers = settings.shownServers();
    if (find(this, AuthenticationException.class).isPresent()) {
      return CommandFailure.noServer(
          "the NATS server at " + servers + " refuses " + identity(settings), this);
    }
    Optional<String> tls = tlsReason();
    if (tls.isPresent()) {
      return CommandFailure.noServer(
          "TLS with the NATS server at " + servers + " failed: " + tls.get(), this);
    }
    if (says(TLS_UNKNOWN)) {
      return CommandFailure.noServer("the NATS server at " + servers + " does not speak TLS", this);
    }
    return CommandFailure.noServer("no NATS server at " + servers + ": " + reason(settings), this);
  }

  private static String identity(ConnectionSettings settings) {
    Credentials credentials = settings.credentials();
    boolean inUrl = settings.servers().stream().anyMatch(url -> url.contains("@"));
    return credentials instanceof Credentials.None && !inUrl
        ? "a client without credentials; give --creds, --nkey, --user or --context"
        : "the credentials";
  }

  private String reason(ConnectionSettings settings) {
    if (find(this, UnknownHostException.class).isPresent()
        || find(this, UnresolvedAddressException.class).isPresent()) {
      return "the host name is unknown";
    }
    if (isTimeout()) {
      return "no answer within " + Durations.format(settings.timeout());
    }
    if (find(this, NoRouteToHostException.class).isPresent()) {
      return "there is no route to the host";
    }
    if (find(this, ConnectException.class).isPresent()) {
      return "connection refused";
    }
    if (isHangUp()) {
      return "the server closed the connection";
    }
    if (says("INFO") || says("Read channel closed")) {
      return "what answers there does not speak NATS";
    }
    return innermost();
  }

  private Optional<String> tlsReason() {
    if (certificateAsked && (isTimeout() || isHangUp())) {
      return Optional.of("it wants a certificate that it accepts; give --tlscert and --tlskey");
    }
    return find(this, SSLException.class).map(ConnectFailure::tlsReason);
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

  private boolean isTimeout() {
    return find(this, TimeoutException.class).isPresent()
        || find(this, SocketTimeoutException.class).isPresent();
  }

  private boolean isHangUp() {
    return find(this, EOFException.class).isPresent() || says("Connection reset");
  }

  private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return Optional.of(type.cast(t));
      }
    }
    return Optional.empty();
  }

  private boolean says(String words) {
    String wanted = words.toLowerCase(Locale.ROOT);
    for (Throwable t = this; t != null; t = t.getCause()) {
      if (String.valueOf(t.getMessage()).toLowerCase(Locale.ROOT).contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  private String innermost() {
    Throwable t = this;
    while (t.getCause() != null) {
      t = t.getCause();
    }
    return t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
  }
}
