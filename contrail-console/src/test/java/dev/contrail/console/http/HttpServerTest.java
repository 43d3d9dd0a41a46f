package dev.contrail.console.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.console.health.Check;
import dev.contrail.console.health.Readiness;
import dev.contrail.operations.schedule.TaskStatus;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpServerTest implements Answers {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private static final byte[] NOT_HERE = {(byte) 192, 0, 2, 1};
  private static final byte[] LOOPBACK_V6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

  private final HttpClient client = HttpClient.newHttpClient();
  private Readiness readiness = new Readiness(List.of(new Check("nats", true, "connected")));
  private String metrics = "contrail_version 1.0\n";
  private HttpServer server;

  @Override
  public Readiness readiness() {
    return readiness;
  }

  @Override
  public List<TaskStatus> tasks() {
    return List.of();
  }

  @Override
  public String metrics() {
    if (metrics.isEmpty()) {
      throw new IllegalStateException("secret details");
    }
    return metrics;
  }

  @BeforeEach
  @SuppressWarnings("NullAway.Init")
  void start() throws Exception {
    server = HttpServer.start(new HttpServer.Listening(LOOPBACK, 0), this);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void health_is_that_the_process_lives() throws Exception {
    readiness = new Readiness(List.of(new Check("nats", false, "gone")));

    HttpResponse<String> answer = get("/healthz");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"status\":\"up\"}\n");
    assertThat(answer.headers().firstValue("content-type")).contains("application/json");
    assertThat(answer.headers().firstValue("cache-control")).contains("no-store");
    assertThat(answer.headers().map().keySet()).doesNotContain("server", "set-cookie");
  }

  @Test
  void readiness_names_every_check() throws Exception {
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    assertThat(get("/readyz").body())
        .isEqualTo(
            "{\"status\":\"ready\",\"checks\":[{\"name\":\"nats\",\"ok\":true,"
                + "\"degraded\":false,\"detail\":\"connected\"}],\"tasks\":[]}\n");

    readiness = new Readiness(List.of(new Check("nats", false, "gone")));
    assertThat(get("/readyz").statusCode()).isEqualTo(503);
    assertThat(get("/readyz").body()).contains("\"not-ready\"", "\"ok\":false", "gone");

    readiness = new Readiness(List.of(new Check("guard", true, true, "leads, but: full")));
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    assertThat(get("/readyz").body())
        .contains("\"status\":\"degraded\"", "\"degraded\":true", "leads, but: full");
  }

  @Test
  void metrics_say_which_format_they_are_in() throws Exception {
    HttpResponse<String> answer = get("/metrics");

    assertThat(answer.body()).isEqualTo("contrail_version 1.0\n");
    assertThat(answer.headers().firstValue("content-type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
  }

  @Test
  void anything_else_is_refused_in_json() throws Exception {
    assertThat(get("/").statusCode()).as("before the console has begun").isEqualTo(503);
    assertThat(get("/nothing").body()).contains("\"code\":\"not-found\"");
    HttpResponse<String> post =
        client.send(
            HttpRequest.newBuilder(at("/metrics")).POST(BodyPublishers.ofString("x")).build(),
            BodyHandlers.ofString());
    assertThat(post.statusCode()).isEqualTo(405);
    assertThat(post.body()).contains("\"code\":\"not-allowed\"");
  }

  @Test
  void what_fails_inside_stays_inside() throws Exception {
    metrics = "";

    HttpResponse<String> answer = get("/metrics");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).contains("\"code\":\"failed\"").doesNotContain("secret");
    assertThat(get("/healthz").statusCode()).isEqualTo(200);
  }

  @Test
  void a_request_that_is_too_large_or_none_at_all_is_refused() throws Exception {
    assertThat(raw("GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: " + "a".repeat(40_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431")
        .contains("\"code\":\"refused\"")
        .doesNotContain("Jetty");
    assertThat(raw("GET /healthz?" + "a".repeat(40_000) + " HTTP/1.1\r\nHost: a\r\n\r\n"))
        .startsWith("HTTP/1.1 414");
    assertThat(raw("nonsense\r\n\r\n")).startsWith("HTTP/1.1 400").doesNotContain("Jetty");
  }

  @Test
  void a_connection_that_says_nothing_is_closed() throws Exception {
    try (Socket silent = new Socket(LOOPBACK, server.address().getPort())) {
      silent.setSoTimeout(30_000);
      silent.getOutputStream().write("GET /hea".getBytes(US_ASCII));
      silent.getOutputStream().flush();

      assertThat(read(silent.getInputStream())).doesNotContain("200 OK");
    }
  }

  @Test
  void a_port_that_is_taken_is_said() {
    int taken = server.address().getPort();

    assertThatThrownBy(() -> HttpServer.start(new HttpServer.Listening(LOOPBACK, taken), this))
        .isInstanceOf(CannotListenException.class)
        .hasMessage("port " + taken + " of 127.0.0.1 is taken by another program");
    assertThatThrownBy(
            () ->
                HttpServer.start(
                    new HttpServer.Listening(InetAddress.getByAddress(NOT_HERE), 0), this))
        .isInstanceOf(CannotListenException.class)
        .hasMessage("192.0.2.1 is no address of this machine");
  }

  @Test
  void an_address_of_the_newer_kind_works_too() throws Exception {
    try (HttpServer other =
        HttpServer.start(
            new HttpServer.Listening(InetAddress.getByAddress(LOOPBACK_V6), 0), this)) {
      assertThat(other.address().toString()).startsWith("http://[");
      assertThat(
              client
                  .send(
                      HttpRequest.newBuilder(other.address().resolve("/healthz")).build(),
                      BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(200);
    }
  }

  private URI at(String path) {
    return server.address().resolve(path);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(HttpRequest.newBuilder(at(path)).build(), BodyHandlers.ofString());
  }

  private String raw(String request) throws IOException {
    try (Socket socket = new Socket(LOOPBACK, server.address().getPort())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      socket.getOutputStream().flush();
      return read(socket.getInputStream());
    }
  }

  private static String read(InputStream in) throws IOException {
    return new String(in.readAllBytes(), US_ASCII);
  }
}
