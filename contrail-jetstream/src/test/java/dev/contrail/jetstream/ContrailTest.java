package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.support.NatsInetAddress;
import io.nats.client.support.NatsInetAddressProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ContrailTest {
  // The common pool may have a single thread, and here one waits for another.
  private static final Executor THREADS = task -> new Thread(task, "contrail-test").start();

  public static final class OwnDataPort extends HeaderGuardDataPort {}

  @Test
  void a_connection_is_guarded_whichever_way_it_is_made() throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection byUrl = Contrail.connect(server.url());
        Connection byOptions =
            Contrail.connect(new Options.Builder().server(server.url()).build());
        Connection own =
            Contrail.connect(
                Contrail.options(server.url()).dataPortType(OwnDataPort.class.getName()).build());
        Connection plain = Nats.connect(server.url())) {
      assertThat(Contrail.isGuarded(byUrl)).isTrue();
      assertThat(Contrail.isGuarded(byOptions)).isTrue();
      assertThat(Contrail.isGuarded(own)).isTrue();
      assertThat(Contrail.isGuarded(plain)).isFalse();
    }
  }

  @Test
  void a_server_that_is_not_there_is_named_with_the_reason() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }

    assertThatThrownBy(() -> Contrail.connect("nats://ann:secret@127.0.0.1:" + port))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessage(
            "No connection to a NATS server at nats://127.0.0.1:" + port + ": Connection refused");
  }

  @Test
  void a_password_in_the_address_is_not_shown_with_another_listener_either() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    String url = "nats://ann:secret@127.0.0.1:" + port;
    Options options = Contrail.options(url).errorListener(new ErrorListener() {}).build();

    assertThatThrownBy(() -> Contrail.connect(options))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining("nats://127.0.0.1:" + port)
        .hasMessageNotContaining("secret");
  }

  @Test
  void wrong_credentials_are_told_from_a_missing_server() {
    String config = "authorization { user: ann, password: secret }";
    try (NatsServer server = NatsServer.builder().config(config).start()) {
      assertThatThrownBy(() -> Contrail.connect(server.url().replace("//", "//ann:wrong@")))
          .isExactlyInstanceOf(ContrailException.class)
          .hasMessageStartingWith("The NATS server at " + server.url() + " refuses the credentials")
          .hasMessageNotContaining("wrong");
    }
  }

  @Test
  void a_server_that_wants_tls_says_so(@TempDir Path folder) throws Exception {
    String config = new TestCertificate(folder).serverConfig();
    try (NatsServer server = NatsServer.builder().config(config).start()) {
      assertThatThrownBy(() -> Contrail.connect(server.url()))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("SSL required by server");
    }
  }

  @Test
  void a_host_that_is_unknown_is_said() {
    assertThatThrownBy(() -> Contrail.connect("nats://no-such-host.invalid:4222"))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessage(
            "No connection to a NATS server at nats://no-such-host.invalid:4222:"
                + " the host name is unknown");
  }

  @Test
  void a_server_that_hangs_up_is_not_taken_for_one_that_does_not_answer() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> hungUp =
          accept(server, "INFO {\"server_id\":\"x\",\"version\":\"2.9.10\"}\r\n")
              .thenAccept(ContrailTest::hangUpOnceSpokenTo);
      String url = "nats://127.0.0.1:" + server.getLocalPort();
      Options options = Contrail.options(url).connectionTimeout(Duration.ofSeconds(5)).build();

      assertThatThrownBy(() -> Contrail.connect(options))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessage(
              "No connection to a NATS server at " + url + ": the server closed the connection");
      hungUp.get(10, TimeUnit.SECONDS);
    }
  }

  private static void hangUpOnceSpokenTo(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      assertThat(in.readLine()).startsWith("CONNECT");
      assertThat(in.readLine()).isEqualTo("PING");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls", "wss"})
  void a_server_that_never_answers_the_tls_handshake_is_given_up(String scheme) throws Exception {
    Duration timeout = Duration.ofSeconds(1);
    String info = "INFO {\"server_id\":\"x\",\"version\":\"2.9.10\",\"tls_required\":true}\r\n";
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Socket> accepted = accept(silent, scheme.equals("wss") ? "" : info);
      String url = scheme + "://127.0.0.1:" + silent.getLocalPort();
      Options options = Contrail.options(url).connectionTimeout(timeout).build();
      CompletableFuture<Connection> connecting =
          CompletableFuture.supplyAsync(() -> Contrail.connect(options), THREADS);

      assertThat(connecting)
          .failsWithin(Duration.ofSeconds(15))
          .withThrowableThat()
          .havingCause()
          .isInstanceOf(ServerUnavailableException.class)
          .withMessage("No connection to a NATS server at " + url + ": no answer within 1s");
      accepted.get(10, TimeUnit.SECONDS).close();
    }
  }

  private static CompletableFuture<Socket> accept(ServerSocket server, String greeting) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            Socket socket = server.accept();
            socket.getOutputStream().write(Wire.bytes(greeting));
            return socket;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        THREADS);
  }

  @Test
  void a_connection_by_name_survives_a_restart_of_the_server() throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection connection = Contrail.connect(server.url().replace("127.0.0.1", "localhost"))) {
      server.restart();

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> connection.getStatistics().getReconnects() == 1);
      assertThat(connection.getStatus()).isEqualTo(Connection.Status.CONNECTED);
    }
  }

  @Test
  void a_name_is_tried_with_its_ipv6_address_too() throws Exception {
    try (ServerSocket server = onIpv6()) {
      CompletableFuture<Socket> accepted = accept(server, "no NATS server\r\n");
      NatsInetAddress.setProvider(new DualStack());

      assertThatThrownBy(() -> Contrail.connect("nats://dual.test:" + server.getLocalPort()))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageEndingWith("Connection refused");
      accepted.get(10, TimeUnit.SECONDS).close();
    } finally {
      NatsInetAddress.setProvider(null);
    }
  }

  private static ServerSocket onIpv6() {
    try {
      return new ServerSocket(0, 5, ipv6Loopback());
    } catch (IOException e) {
      return Assumptions.abort("this machine has no IPv6: " + e.getMessage());
    }
  }

  private static InetAddress ipv6Loopback() throws UnknownHostException {
    byte[] address = new byte[16];
    address[15] = 1;
    return InetAddress.getByAddress(address);
  }

  private static final class DualStack implements NatsInetAddressProvider {
    @Override
    public InetAddress[] getAllByName(String host) throws UnknownHostException {
      InetAddress ipv4 = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      return new InetAddress[] {ipv4, ipv6Loopback()};
    }
  }

  @Test
  void an_address_that_is_none_is_refused_with_an_example() {
    assertThatThrownBy(() -> Contrail.connect("nats://ann:secret@not an address"))
        .isExactlyInstanceOf(ContrailException.class)
        .hasMessage(
            "“nats://not an address” is not the address of a NATS server;"
                + " one looks like nats://127.0.0.1:4222");
  }
}
