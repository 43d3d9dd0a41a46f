package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectReasonTest {
  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(new ConnectException("Connection refused"), "Connection refused"),
        arguments(
            new EOFException("the server closed the connection"),
            "the server closed the connection"),
        arguments(new TimeoutException(), "no answer within 2s"),
        arguments(new SocketTimeoutException("Read timed out"), "no answer within 2s"),
        arguments(new UnknownHostException("nats.example"), "the host name is unknown"),
        arguments(new IllegalStateException(), "java.lang.IllegalStateException"),
        arguments(
            tls("No subject alternative DNS name matching a.example found."),
            "its certificate is for another host"
                + " (No subject alternative DNS name matching a.example found.)"),
        arguments(
            tls("No name matching a.example found"),
            "its certificate is for another host (No name matching a.example found)"),
        arguments(
            tls("PKIX path building failed: unable to find valid certification path"),
            "its certificate comes from an authority that is not trusted"
                + " (PKIX path building failed: unable to find valid certification path)"),
        arguments(
            tls("Received fatal alert: bad_certificate"),
            "it wants a certificate that it accepts (Received fatal alert: bad_certificate)"),
        arguments(
            tls("Received fatal alert: certificate_required"),
            "it wants a certificate that it accepts (Received fatal alert: certificate_required)"),
        arguments(
            tls("Remote host terminated the handshake"),
            "TLS failed (Remote host terminated the handshake)"));
  }

  private static Exception tls(String message) {
    return new ExecutionException(new SSLHandshakeException(message));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_failure_is_told_in_words(Exception failure, String words) {
    assertThat(ConnectReason.of(failure, Duration.ofSeconds(2))).isEqualTo(words);
  }
}
