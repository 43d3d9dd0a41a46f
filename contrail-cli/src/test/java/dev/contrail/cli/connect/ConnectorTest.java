package dev.contrail.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.NKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class ConnectorTest {
  private final Path folder;
  private final Map<ConnectionSetting, String> flags = new EnumMap<>(ConnectionSetting.class);
  private @Nullable NatsServer server;

  ConnectorTest(@TempDir Path folder) {
    this.folder = folder;
    flags.put(ConnectionSetting.TIMEOUT, "60s");
  }

  @AfterEach
  void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  private NatsServer serve(String config) {
    NatsServer started = NatsServer.builder().config(config).start();
    server = started;
    flags.put(ConnectionSetting.SERVER, started.url());
    return started;
  }

  private ConnectionSettings settings() {
    return ConnectionResolver.resolve(
        new ConnectionSources(flags, Map.of(), Map.of(), new NatsContexts(folder), folder));
  }

  private Connection connect() {
    return new Connector(settings(), "contrail test").connect();
  }

  private void connects() throws InterruptedException {
    Connection connection = connect();
    assertThat(connection.getStatus()).isEqualTo(Connection.Status.CONNECTED);
    assertThat(Contrail.isGuarded(connection)).isTrue();
    connection.close();
  }

  private void refused(int exitCode, String... words) {
    long start = System.nanoTime();
    assertThatThrownBy(this::connect)
        .isInstanceOfSatisfying(
            CommandFailure.class,
            e -> {
              assertThat(e.sentence()).contains(words);
              assertThat(e.exitCode()).isEqualTo(exitCode);
            });
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
  }

  @Test
  void a_server_with_jetstream_is_connected_to() throws Exception {
    serve("");
    connects();
  }

  @Test
  void user_and_password_and_token_let_in_and_wrong_ones_do_not() throws Exception {
    String url = serve("authorization { user: ann, password: s3cret }").url();
    refused(ExitCode.NO_SERVER, "refuses a client without credentials", "--creds", url);
    flags.put(ConnectionSetting.USER, "ann");
    flags.put(ConnectionSetting.PASSWORD, "wrong");
    refused(ExitCode.NO_SERVER, "the NATS server at " + url + " refuses the credentials");
    flags.put(ConnectionSetting.PASSWORD, "s3cret");
    connects();
    flags.remove(ConnectionSetting.USER);
    flags.remove(ConnectionSetting.PASSWORD);
    flags.put(ConnectionSetting.SERVER, url.replace("nats://", "nats://ann:s3cret@"));
    connects();
  }

  @Test
  void a_token_lets_in() throws Exception {
    serve("authorization { token: t0ken }");
    flags.put(ConnectionSetting.USER, "t0ken");
    connects();
  }

  @Test
  void an_nkey_lets_in() throws Exception {
    NKey nkey = NKey.createUser(null);
    serve(
        "authorization { users: [ { nkey: "
            + new String(nkey.getPublicKey())
            + " } ] }\n"
            + "no_auth_user: \"\"");
    Path seed = Files.writeString(folder.resolve("user.nk"), new String(nkey.getSeed()) + "\n");
    flags.put(ConnectionSetting.NKEY, seed.toString());
    connects();
    Files.writeString(seed, "no seed");
    refused(ExitCode.USAGE, "holds no seed");
    flags.put(ConnectionSetting.NKEY, folder.resolve("missing").toString());
    refused(ExitCode.USAGE, "the nkey file", "there is no such file");
  }

  @Test
  void a_credentials_file_that_is_missing_or_none_is_named() throws IOException {
    flags.put(ConnectionSetting.CREDS, folder.resolve("missing.creds").toString());
    refused(ExitCode.USAGE, "the credentials file", "missing.creds is missing");
    Path none = Files.writeString(folder.resolve("none.creds"), "hello");
    flags.put(ConnectionSetting.CREDS, none.toString());
    refused(ExitCode.USAGE, "none.creds holds no NATS user credentials");
  }

  @Test
  void nobody_there_is_said_at_once_without_the_password() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    flags.put(ConnectionSetting.SERVER, "nats://ann:s3cret@127.0.0.1:" + free);
    refused(
        ExitCode.NO_SERVER,
        "no NATS server at nats://ann:****@127.0.0.1:" + free + ": connection refused");
  }

  @Test
  void an_unknown_host_is_said() {
    flags.put(ConnectionSetting.SERVER, "nats://no-such-host.invalid:4222");
    refused(ExitCode.NO_SERVER, "no-such-host.invalid", "the host name is unknown");
  }

  @Test
  void one_that_says_nothing_is_given_up_after_the_timeout() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      flags.put(ConnectionSetting.SERVER, "127.0.0.1:" + silent.getLocalPort());
      flags.put(ConnectionSetting.TIMEOUT, "1s");
      refused(ExitCode.NO_SERVER, "no NATS server at", "no answer within 1s");
    }
  }

  @Test
  void one_that_speaks_something_else_is_said() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> greeting =
          CompletableFuture.runAsync(
              () -> {
                try (Socket socket = other.accept()) {
                  byte[] text = "220 mail.example ESMTP\r\n".getBytes(StandardCharsets.US_ASCII);
                  socket.getOutputStream().write(text);
                  socket.getOutputStream().flush();
                  socket.getInputStream().read();
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      flags.put(ConnectionSetting.SERVER, "127.0.0.1:" + other.getLocalPort());
      refused(ExitCode.NO_SERVER, "what answers there does not speak NATS");
      assertThat(greeting).isNotNull();
    }
  }

  @Test
  void one_that_hangs_up_is_said() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> hangingUp =
          CompletableFuture.runAsync(
              () -> {
                try (Socket socket = server.accept()) {
                  byte[] text =
                      "INFO {\"version\":\"2.9.10\"}\r\n".getBytes(StandardCharsets.US_ASCII);
                  socket.getOutputStream().write(text);
                  socket.getInputStream().read();
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      flags.put(ConnectionSetting.SERVER, "127.0.0.1:" + server.getLocalPort());
      flags.put(ConnectionSetting.TIMEOUT, "5s");
      refused(ExitCode.NO_SERVER, "no NATS server at", "the server closed the connection");
      hangingUp.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void a_server_without_jetstream_is_said() {
    NatsServer plain = NatsServer.builder().jetStream(false).start();
    server = plain;
    flags.put(ConnectionSetting.SERVER, plain.url());
    refused(ExitCode.NO_SERVER, "has no JetStream", "-js");
  }

  @Test
  void tls_is_spoken_where_the_server_asks_for_it_and_only_with_trust() throws Exception {
    Certificates cert = Certificates.make(folder, "server", "RSA", "ip:127.0.0.1");
    String url = serve(cert.serverConfig("")).url();
    refused(ExitCode.NO_SERVER, "TLS with the NATS server at " + url, "not trusted", "--tlsca");
    flags.put(ConnectionSetting.TLS_CA, cert.certificate().toString());
    connects();
    flags.put(ConnectionSetting.SERVER, url.replace("nats://", "tls://"));
    connects();
  }

  @Test
  void a_certificate_for_another_host_is_refused() throws Exception {
    Certificates cert = Certificates.make(folder, "other", "EC", "dns:elsewhere.example");
    serve(cert.serverConfig(""));
    flags.put(ConnectionSetting.TLS_CA, cert.certificate().toString());
    refused(ExitCode.NO_SERVER, "its certificate is for another host");
  }

  @Test
  void a_host_name_is_checked_by_name() throws Exception {
    Certificates cert = Certificates.make(folder, "local", "EC", "dns:localhost");
    String url = serve(cert.serverConfig("")).url();
    flags.put(ConnectionSetting.TLS_CA, cert.certificate().toString());
    flags.put(ConnectionSetting.SERVER, url.replace("127.0.0.1", "localhost"));
    connects();
  }

  @Test
  void a_server_that_wants_a_client_certificate_gets_it() throws Exception {
    Certificates cert = Certificates.make(folder, "server", "EC", "ip:127.0.0.1");
    Certificates client = Certificates.make(folder, "client", "RSA", "dns:client");
    serve(cert.serverConfig("ca_file: \"" + client.certificate() + "\", verify: true"));
    flags.put(ConnectionSetting.TLS_CA, cert.certificate().toString());
    flags.put(ConnectionSetting.TIMEOUT, "5s");
    refused(ExitCode.NO_SERVER, "wants a certificate that it accepts", "--tlscert");
    flags.put(ConnectionSetting.TIMEOUT, "60s");
    flags.put(ConnectionSetting.TLS_CERT, client.certificate().toString());
    flags.put(ConnectionSetting.TLS_KEY, client.key().toString());
    connects();
  }

  @Test
  void a_server_without_tls_is_said_where_tls_is_wanted() {
    serve("");
    flags.compute(
        ConnectionSetting.SERVER, (s, url) -> String.valueOf(url).replace("nats://", "tls://"));
    refused(ExitCode.NO_SERVER, "does not speak TLS");
  }
}
