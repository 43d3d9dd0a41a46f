package dev.contrail.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.console.access.Role;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What somebody who means harm, or is merely many, can make the console spend. */
class BoundsTest {
  private static final int MEGABYTE = 1024 * 1024;

  @Test
  void a_body_of_unknown_length_is_bounded_before_anybody_logged_in() throws Exception {
    try (Shop shop = new Shop()) {
      shop.token("vera", Role.VIEWER);
      for (String type :
          List.of("application/x-www-form-urlencoded", "multipart/form-data; boundary=x")) {
        try (Socket socket = connect(shop)) {
          OutputStream out = socket.getOutputStream();
          out.write(
              ("POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                      + type
                      + "\r\nTransfer-Encoding: chunked\r\n\r\n")
                  .getBytes(UTF_8));
          byte[] chunk = ("10000\r\n" + "a".repeat(0x10000) + "\r\n").getBytes(UTF_8);
          long sent = 0;
          try {
            while (sent < 64L * MEGABYTE && socket.getInputStream().available() == 0) {
              out.write(chunk);
              sent += 0x10000;
            }
          } catch (SocketException closed) {
            // Broken off, as it should be.
          }
          assertThat(sent).as(type).isLessThan(16L * MEGABYTE);
        }
      }
      assertThat(shop.send(shop.request("/healthz")).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void many_who_send_slowly_keep_nobody_else_out() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try (Shop shop = new Shop()) {
      shop.token("vera", Role.VIEWER);
      try {
        for (int i = 0; i < 100; i++) {
          Socket socket = connect(shop);
          socket
              .getOutputStream()
              .write(
                  ("POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type:"
                          + " application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\na")
                      .getBytes(UTF_8));
          socket.getOutputStream().flush();
          slow.add(socket);
        }
        HttpClient fresh = HttpClient.newHttpClient();
        for (int i = 0; i < 5; i++) {
          HttpResponse<String> answer =
              fresh.send(
                  HttpRequest.newBuilder(shop.at("/healthz"))
                      .timeout(Duration.ofSeconds(5))
                      .build(),
                  BodyHandlers.ofString());
          assertThat(answer.statusCode()).isEqualTo(200);
        }
      } finally {
        for (Socket socket : slow) {
          socket.close();
        }
      }
    }
  }

  @Test
  void a_payload_that_grows_when_it_is_laid_out_does_not_make_a_page_grow() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("[".repeat(400) + "1,".repeat(30_000) + "1" + "]".repeat(400));
      HttpResponse<String> page = shop.page("/dead-letters/" + id);
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body().length()).isLessThan(600_000);
    }
  }

  @Test
  void while_nats_is_away_pages_say_so_at_once_and_health_is_answered() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("bad");
      shop.premises.nats.stop();
      await()
          .atMost(Premises.SOON)
          .until(() -> shop.send(shop.request("/readyz")).statusCode() == 503);
      HttpClient many = HttpClient.newHttpClient();
      List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        for (String path : List.of("/streams", "/dead-letters/" + id, "/replays")) {
          asked.add(
              many.sendAsync(
                  shop.request(path).header("Accept", "text/html").build(),
                  BodyHandlers.ofString()));
        }
      }
      long began = System.nanoTime();
      assertThat(shop.send(shop.request("/healthz").timeout(Duration.ofSeconds(10))).statusCode())
          .isEqualTo(200);
      CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
      assertThat(asked).allSatisfy(it -> assertThat(it.join().statusCode()).isIn(503, 502, 429));
      assertThat(shop.page("/dead-letters").body()).as("from memory").contains("will not charge");
      assertThat(shop.page("/streams").body())
          .contains("There is no connection to the NATS server");
    }
  }

  @Test
  void wrong_tokens_of_somebody_else_keep_nobody_from_logging_in() throws Exception {
    try (Shop shop = new Shop()) {
      String viewer = shop.token("vera", Role.VIEWER);
      for (int i = 0; i < 200; i++) {
        assertThat(login(shop, "127.0.1." + i / 10, "wrong")).startsWith("HTTP/1.1 4");
      }
      assertThat(login(shop, "127.0.1.0", viewer)).as("slowed down").startsWith("HTTP/1.1 429");
      assertThat(login(shop, "127.0.0.9", viewer)).startsWith("HTTP/1.1 303");
    }
  }

  /** From another address of this machine. */
  private static String login(Shop shop, String from, String token) throws IOException {
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(InetAddress.getAllByName(from)[0], 0));
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), shop.at("/").getPort()), 5_000);
      String form = "token=" + token;
      socket
          .getOutputStream()
          .write(
              ("POST /login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type:"
                      + " application/x-www-form-urlencoded\r\nContent-Length: "
                      + form.length()
                      + "\r\n\r\n"
                      + form)
                  .getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  @Test
  void a_page_of_somebody_else_cannot_even_ask() throws Exception {
    try (Shop shop = new Shop()) {
      Map<String, Integer> expected =
          Map.of("cors", 403, "no-cors", 403, "websocket", 403, "navigate", 200);
      expected.forEach(
          (mode, status) ->
              assertThat(
                      raw(
                          shop,
                          "GET /groups",
                          "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: " + mode))
                  .as(mode)
                  .startsWith("HTTP/1.1 " + status));
      assertThat(raw(shop, "GET /live", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors"))
          .startsWith("HTTP/1.1 403");
      assertThat(shop.page("/groups").headers().firstValue("cross-origin-resource-policy"))
          .contains("same-origin");
    }
  }

  private static String raw(Shop shop, String what, String headers) {
    try (Socket socket = connect(shop)) {
      socket
          .getOutputStream()
          .write(
              (what
                      + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                      + headers
                      + "\r\n\r\n")
                  .getBytes(UTF_8));
      return new String(socket.getInputStream().readNBytes(200), UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Socket connect(Shop shop) throws IOException {
    Socket socket = new Socket(shop.at("/").getHost(), shop.at("/").getPort());
    socket.setSoTimeout(30_000);
    return socket;
  }
}
