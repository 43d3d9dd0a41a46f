package dev.contrail.cli;

import static dev.contrail.cli.DeadLetterPlace.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.connect.Certificates;
import dev.contrail.cli.connect.OperatorMode;
import dev.contrail.cli.output.Terminal;
import dev.contrail.server.NatsServer;
import io.nats.client.NKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code contrail serve} on servers that demand credentials and TLS, and with TLS of its own. */
@Tag("slow")
class ServeSecurelyTest {
  @TempDir Path folder;
  private final Map<String, String> env = new HashMap<>();

  @Test
  void with_a_credentials_file() throws Exception {
    OperatorMode operator = new OperatorMode();
    try (NatsServer server = NatsServer.builder().config(operator.serverConfig()).start()) {
      env.put("NATS_URL", server.url());
      assertThat(run("token", "ls")).as("without: " + err).isEqualTo(3);
      env.put("NATS_CREDS", operator.credentials(folder.resolve("ann.creds")).toString());
      serves(List.of(), Optional.empty());
    }
  }

  @Test
  void with_an_nkey_over_tls() throws Exception {
    NKey nkey = NKey.createUser(null);
    Certificates nats = Certificates.make(folder, "nats", "EC", "ip:127.0.0.1");
    try (NatsServer server =
        NatsServer.builder()
            .config(
                nats.serverConfig("")
                    + "\nauthorization { users: [ { nkey: "
                    + new String(nkey.getPublicKey())
                    + " } ] }")
            .start()) {
      env.put("NATS_URL", server.url());
      env.put("NATS_CA", nats.certificate().toString());
      assertThat(run("token", "ls")).as("without: " + err).isEqualTo(3);
      env.put(
          "NATS_NKEY",
          Files.writeString(folder.resolve("ann.nk"), new String(nkey.getSeed())).toString());
      serves(List.of(), Optional.empty());
    }
  }

  @Test
  void with_a_password_and_https_for_everybody() throws Exception {
    Certificates own = Certificates.make(folder, "console", "EC", "ip:127.0.0.1");
    try (NatsServer server =
        NatsServer.builder().config("authorization { user: ann, password: s3cret }").start()) {
      env.put("NATS_URL", server.url());
      env.put("NATS_USER", "ann");
      env.put("NATS_PASSWORD", "s3cret");
      serves(
          List.of(
              "--bind",
              "0.0.0.0",
              "--tls-cert",
              own.certificate().toString(),
              "--tls-key",
              own.key().toString()),
          Optional.of(own));
    }
  }

  /** Serves, lets nobody in without a token, and somebody with one. */
  private void serves(List<String> options, Optional<Certificates> tls) throws Exception {
    Path output = folder.resolve("serve.log");
    List<String> arguments = new ArrayList<>(List.of("serve", "--json", "--port", "0"));
    arguments.addAll(options);
    Process program = start(output, arguments);
    try (ServeWatch serve = new ServeWatch(program, output)) {
      URI address =
          URI.create(serve.serving().get("url").asString().replace("0.0.0.0", "127.0.0.1"));
      assertThat(address.getScheme()).isEqualTo(tls.isPresent() ? "https" : "http");
      HttpClient client = client(tls);
      await().atMost(SOON).until(() -> get(client, address, "/readyz", "").statusCode() == 200);

      HttpResponse<String> early = get(client, address, "/api/v1/groups", "");
      assertThat(early.statusCode()).isEqualTo(tls.isPresent() ? 401 : 200);
      assertThat(run("token", "new", "ann", "--role", "operator", "--json")).as(err).isZero();
      String token = find(out, "contrail_[a-z2-7]{8}_[A-Za-z0-9_-]{43}");
      await()
          .atMost(SOON)
          .until(() -> get(client, address, "/api/v1/groups", "").statusCode() == 401);
      // A token that is not known yet is a wrong one, and wrong ones are slowed down.
      await()
          .atMost(SOON)
          .pollInterval(Duration.ofSeconds(3))
          .until(() -> get(client, address, "/api/v1/groups", token).statusCode() == 200);
      assertThat(get(client, address, "/api/v1/groups", token + "x").statusCode()).isIn(401, 429);

      HttpResponse<String> login =
          client.send(
              HttpRequest.newBuilder(address.resolve("/login"))
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .POST(BodyPublishers.ofString("token=" + token))
                  .build(),
              BodyHandlers.ofString());
      assertThat(login.statusCode()).isEqualTo(303);
      String cookie = login.headers().firstValue("set-cookie").orElseThrow();
      assertThat(cookie).contains("HttpOnly", "SameSite=Strict", "Path=/");
      if (tls.isPresent()) {
        assertThat(cookie).startsWith("__Host-contrail-").contains("Secure");
        URI plain = URI.create("http://127.0.0.1:" + address.getPort() + "/healthz");
        assertThatThrownBy(() -> get(HttpClient.newHttpClient(), plain, "", ""))
            .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get(HttpClient.newHttpClient(), address, "/healthz", ""))
            .as("nobody trusts it unasked")
            .isInstanceOf(IOException.class);
      } else {
        assertThat(cookie).doesNotContain("Secure");
      }
      assertThat(Files.readString(output)).doesNotContain("s3cret", token);
    }
  }

  private static HttpResponse<String> get(HttpClient client, URI address, String path, String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpClient client(Optional<Certificates> trusted) throws Exception {
    if (trusted.isEmpty()) {
      return HttpClient.newHttpClient();
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(trusted.get().certificate())) {
      store.setCertificateEntry(
          "it", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static String find(String text, String pattern) {
    var matcher = java.util.regex.Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return matcher.group();
  }

  private String out = "";
  private String err = "";

  private int run(String... arguments) {
    StringWriter outText = new StringWriter();
    StringWriter errText = new StringWriter();
    int exit =
        Program.run(
            new Surroundings(
                env,
                folder,
                folder,
                new PrintWriter(outText),
                new PrintWriter(errText),
                Terminal.none()),
            arguments);
    out = outText.toString();
    err = errText.toString();
    return exit;
  }

  private Process start(Path output, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(env);
    builder.environment().put("XDG_CONFIG_HOME", folder.toString());
    return builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }
}
