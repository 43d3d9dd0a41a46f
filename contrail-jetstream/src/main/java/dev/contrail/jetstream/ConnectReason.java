package dev.contrail.jetstream;

import dev.contrail.Durations;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Why no connection came about, in words. */
final class ConnectReason {
  // The JDK has no exception of its own for these.
  private static final List<String> OTHER_HOST =
      List.of("No subject alternative", "No name matching");
  private static final List<String> NOT_TRUSTED =
      List.of("unable to find valid certification path");
  private static final List<String> WANTS_ONE = List.of("bad_certificate", "certificate_required");

  private ConnectReason() {}

  static String of(Exception failure, Duration timeout) {
    Throwable reason = failure;
    while (reason instanceof ExecutionException && reason.getCause() != null) {
      reason = reason.getCause();
    }
    String message = Optional.ofNullable(reason.getMessage()).orElse(reason.toString());
    if (reason instanceof TimeoutException || reason instanceof SocketTimeoutException) {
      return "no answer within " + Durations.format(timeout);
    }
    if (reason instanceof UnknownHostException) {
      return "the host name is unknown";
    }
    return reason instanceof SSLException ? ofTls(message) : message;
  }

  private static String ofTls(String message) {
    return ofCertificate(message) + " (" + message + ")";
  }

  private static String ofCertificate(String message) {
    if (OTHER_HOST.stream().anyMatch(message::contains)) {
      return "its certificate is for another host";
    }
    if (NOT_TRUSTED.stream().anyMatch(message::contains)) {
      return "its certificate comes from an authority that is not trusted";
    }
    return WANTS_ONE.stream().anyMatch(message::contains)
        ? "it wants a certificate that it accepts"
        : "TLS failed";
  }
}
