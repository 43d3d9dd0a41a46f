package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Options.HostnameResolveMode;
import io.nats.client.support.NatsInetAddress;
import io.nats.client.support.NatsInetAddressProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@Timeout(120)
class HostCheckTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder;

  @AfterEach
  void resetNames() {
    NatsInetAddress.setProvider(null);
  }

  private static void lead(Map<String, String> names) {
    NatsInetAddress.setProvider(
        new NatsInetAddressProvider() {
          @Override
          public InetAddress[] getAllByName(String host) throws UnknownHostException {
            return InetAddress.getAllByName(names.getOrDefault(host, host));
          }
        });
  }

  private static NatsServer serve(TestCertificate certificate) {
    return NatsServer.builder().config(certificate.serverConfig()).jetStream(false).start();
  }

  private static String byName(NatsServer server) {
    return server.url().replace("127.0.0.1", "localhost");
  }

  private static Options.Builder options(String url, TestCertificate certificate) {
    return Contrail.options(url)
        .sslContext(certificate.clientContext())
        .connectionTimeout(PATIENCE);
  }

  private static void assertConnects(Options.Builder options) throws InterruptedException {
    try (Connection connection = Contrail.connect(options.build())) {
      assertThat(connection.getStatus()).isEqualTo(Connection.Status.CONNECTED);
    }
  }

  private static void assertRefused(Options.Builder options, String url) {
    assertThatThrownBy(() -> Contrail.connect(options.build()).close())
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageStartingWith(
            "No connection to a NATS server at " + url + ": its certificate is for another host (");
  }

  @Test
  void a_certificate_for_the_name_that_was_asked_for_is_taken() throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "dns:localhost");
    try (NatsServer server = serve(certificate)) {
      assertConnects(options(byName(server), certificate));
    }
  }

  @Test
  void a_certificate_for_another_name_is_refused() throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "dns:elsewhere.example");
    try (NatsServer server = serve(certificate)) {
      assertRefused(options(byName(server), certificate), byName(server));
    }
  }

  @Test
  void an_address_that_was_asked_for_must_be_in_the_certificate() throws Exception {
    TestCertificate address = new TestCertificate(folder, "ip:127.0.0.1");
    try (NatsServer server = serve(address)) {
      assertConnects(options(server.url(), address));
      assertRefused(options(byName(server), address), byName(server));
    }
  }

  @Test
  void a_certificate_for_a_name_is_not_for_its_address() throws Exception {
    TestCertificate name = new TestCertificate(folder, "dns:localhost");
    try (NatsServer server = serve(name)) {
      assertRefused(options(server.url(), name), server.url());
    }
  }

  // Unresolved is for proxies.
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "Unresolved")
  void names_are_checked_in_whichever_way_they_are_resolved(HostnameResolveMode mode)
      throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "dns:localhost");
    lead(Map.of("elsewhere.test", "127.0.0.1"));
    try (NatsServer server = serve(certificate)) {
      String elsewhere = server.url().replace("127.0.0.1", "elsewhere.test");

      assertConnects(options(byName(server), certificate).hostnameResolveMode(mode));
      assertRefused(options(elsewhere, certificate).hostnameResolveMode(mode), elsewhere);
    }
  }

  @Test
  void options_made_elsewhere_are_checked_too() throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "dns:localhost");
    try (NatsServer server = serve(certificate)) {
      assertConnects(plainOptions(byName(server), certificate));
      assertThatThrownBy(
              () -> Contrail.connect(plainOptions(server.url(), certificate).build()).close())
          .isInstanceOf(ServerUnavailableException.class);
    }
  }

  private static Options.Builder plainOptions(String url, TestCertificate certificate) {
    return new Options.Builder()
        .server(url)
        .sslContext(certificate.clientContext())
        .connectionTimeout(PATIENCE);
  }

  @Test
  void a_connection_of_jnats_with_these_options_is_checked_too() throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "dns:second.test");
    lead(Map.of("first.test", "127.0.0.2", "second.test", "127.0.0.1"));
    try (NatsServer server = serve(certificate)) {
      String second = server.url().replace("127.0.0.1", "second.test");
      String both = server.url().replace("127.0.0.1", "first.test") + "," + second;
      try (Connection connection = Nats.connect(options(both, certificate).build())) {
        assertThat(connection.getConnectedUrl()).isEqualTo(second);
      }
      assertThatThrownBy(() -> Nats.connect(options(byName(server), certificate).build()))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void of_two_names_for_one_address_each_is_checked_as_itself() throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "dns:second.test");
    lead(Map.of("first.test", "127.0.0.1", "second.test", "127.0.0.1"));
    try (NatsServer server = serve(certificate)) {
      String second = server.url().replace("127.0.0.1", "second.test");
      String all =
          String.join(",", server.url(), server.url().replace("127.0.0.1", "first.test"), second);
      try (Connection connection =
          Contrail.connect(options(all, certificate).noRandomize().build())) {
        assertThat(connection.getConnectedUrl()).isEqualTo(second);
      }
    }
  }

  @Test
  void a_server_that_the_cluster_made_known_by_its_address_may_show_the_configured_name()
      throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "dns:localhost");
    int firstRoute = freePort();
    int secondRoute = freePort();
    try (NatsServer first = serveInCluster(certificate, firstRoute, secondRoute);
        NatsServer second = serveInCluster(certificate, secondRoute, firstRoute);
        Connection connection = Contrail.connect(options(byName(first), certificate).build())) {
      await()
          .atMost(PATIENCE)
          .until(() -> connection.getServers().contains("nats://127.0.0.1:" + second.port()));
      first.kill();

      await().atMost(PATIENCE).until(() -> second.url().equals(connection.getConnectedUrl()));
      assertThat(connection.getStatus()).isEqualTo(Connection.Status.CONNECTED);
    }
  }

  private static NatsServer serveInCluster(TestCertificate certificate, int route, int other) {
    String cluster =
        "cluster { name: c, listen: \"127.0.0.1:%d\", routes: [\"nats://127.0.0.1:%d\"] }";
    return NatsServer.builder()
        .config(certificate.serverConfig() + "\n" + cluster.formatted(route, other))
        .jetStream(false)
        .start();
  }

  @Test
  void a_scheme_that_trusts_everything_checks_no_name() throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "dns:elsewhere.example");
    try (NatsServer server = serve(certificate)) {
      String open = byName(server).replace("nats://", "opentls://");

      assertConnects(Contrail.options(open).connectionTimeout(PATIENCE));
    }
  }

  @Test
  void a_secure_websocket_is_checked() throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "dns:localhost");
    int port = freePort();
    String websocket =
        "websocket { host: 127.0.0.1, port: " + port + "\n" + certificate.serverConfig() + " }";
    try (NatsServer server = NatsServer.builder().config(websocket).start()) {
      assertThat(server.isRunning()).isTrue();
      assertConnects(options("wss://localhost:" + port, certificate));
      assertRefused(options("wss://127.0.0.1:" + port, certificate), "wss://127.0.0.1:" + port);
    }
  }

  public static final class WatchedPort extends HeaderGuardDataPort {
    private static final AtomicInteger READ_TIMEOUT = new AtomicInteger(-1);

    @Override
    public void upgradeToSecure() throws IOException {
      super.upgradeToSecure();
      READ_TIMEOUT.set(socket.getSoTimeout());
    }
  }

  @Test
  void the_limit_of_the_handshake_is_lifted_after_it() throws Exception {
    TestCertificate certificate = new TestCertificate(folder);
    try (NatsServer server = serve(certificate)) {
      assertConnects(options(server.url(), certificate).dataPortType(WatchedPort.class.getName()));

      assertThat(WatchedPort.READ_TIMEOUT).hasValue(0);
    }
  }

  @Test
  void a_server_is_found_again_by_its_name_after_a_restart() throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "dns:localhost");
    try (NatsServer server = serve(certificate);
        Connection connection = Contrail.connect(options(byName(server), certificate).build())) {
      server.restart();

      await().atMost(PATIENCE).until(() -> connection.getStatistics().getReconnects() == 1);
      assertThat(connection.getStatus()).isEqualTo(Connection.Status.CONNECTED);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
