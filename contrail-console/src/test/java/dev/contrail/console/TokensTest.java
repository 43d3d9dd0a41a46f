package dev.contrail.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.console.access.Role;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tokens that cannot be read, and what is said to whoever has none. */
class TokensTest {
  @Test
  void one_that_cannot_be_read_lets_nobody_in_and_keeps_none_from_being_revoked() throws Exception {
    try (Shop shop = new Shop()) {
      String viewer = shop.token("vera", Role.VIEWER);
      for (String odd :
          List.of("{\"version\":99}", "nonsense", "{\"version\":1,\"role\":\"god\"}")) {
        shop.premises
            .connection
            .jetStream()
            .publish("$KV.CONTRAIL_TOKENS.odd" + odd.length(), odd.getBytes(UTF_8));
      }
      HttpRequest.Builder asked =
          shop.request("/api/v1/groups").header("Authorization", "Bearer " + viewer);
      assertThat(shop.send(asked).statusCode()).isEqualTo(200);
      shop.revoke(viewer);
      await().atMost(Premises.SOON).until(() -> shop.send(asked).statusCode() == 401);
    }
  }

  @Test
  void a_bucket_that_vanishes_does_not_open_the_door() throws Exception {
    try (Shop shop = new Shop()) {
      String other = shop.token("olga", Role.OPERATOR);
      shop.premises.management.deleteStream("KV_CONTRAIL_TOKENS");
      await()
          .atMost(Premises.SOON)
          .until(
              () ->
                  shop.send(
                              shop.request("/api/v1/groups")
                                  .header("Authorization", "Bearer " + other))
                          .statusCode()
                      == 401);
      assertThat(shop.send(shop.request("/api/v1/groups")).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void only_a_token_that_cannot_be_read_shuts_the_door() throws Exception {
    try (Shop shop = new Shop()) {
      String viewer = shop.token("vera", Role.VIEWER);
      String id = viewer.split("_", -1)[1];
      shop.premises
          .connection
          .jetStream()
          .publish("$KV.CONTRAIL_TOKENS." + id, "nonsense".getBytes(UTF_8));
      await()
          .atMost(Premises.SOON)
          .until(
              () ->
                  shop.send(
                              shop.request("/api/v1/groups")
                                  .header("Authorization", "Bearer " + viewer))
                          .statusCode()
                      == 401);
      assertThat(shop.send(shop.request("/api/v1/groups")).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void who_has_no_token_is_told_whether_it_is_ready_and_not_why() throws Exception {
    try (Shop shop = new Shop()) {
      assertThat(shop.send(shop.request("/readyz")).body()).contains(shop.premises.nats.url());
      String viewer = shop.token("vera", Role.VIEWER);
      assertThat(shop.send(shop.request("/readyz")).statusCode()).isEqualTo(200);
      assertThat(shop.send(shop.request("/readyz")).body())
          .contains("\"status\":\"ready\"", "{\"name\":\"nats\",\"ok\":true", "\"tasks\":[]")
          .doesNotContain(shop.premises.nats.url(), "leads");
      assertThat(shop.page("/login").body())
          .contains("Log in")
          .doesNotContain(shop.premises.nats.url());
      assertThat(
              shop.send(shop.request("/readyz").header("Authorization", "Bearer " + viewer)).body())
          .contains(shop.premises.nats.url(), "leads");
    }
  }

  @Test
  void no_other_method_and_no_other_spelling_finds_another_way_in() throws Exception {
    try (Shop shop = new Shop()) {
      shop.token("vera", Role.VIEWER);
      for (var route : shop.premises.http.routes()) {
        String path =
            route.path().replaceAll("\\{[a-z]+}", "x").replace("/assets/x/x", "/assets/1/app.css");
        for (String method : List.of("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE")) {
          int status =
              shop.send(shop.request(path).method(method, BodyPublishers.noBody())).statusCode();
          boolean open = route.need() == dev.contrail.console.web.Need.NOBODY;
          assertThat(status)
              .as(method + " " + path)
              .isIn(open ? List.of(200, 404, 405, 303) : List.of(401, 404, 405));
        }
        if (!path.equals("/") && route.need() != dev.contrail.console.web.Need.NOBODY) {
          for (String other :
              List.of(
                  "/" + path,
                  path + "/",
                  path.toUpperCase(java.util.Locale.ROOT),
                  "/login/.." + path,
                  "/healthz/%2e%2e" + path,
                  "/assets/1/..;" + path,
                  path + ";x=/healthz",
                  path + "?next=/healthz")) {
            assertThat(raw(shop, other)).as(other).isIn(400, 401, 404, 405);
          }
        }
      }
    }
  }

  /** As it is spelt, which clients would tidy up. */
  private static int raw(Shop shop, String path) throws Exception {
    try (java.net.Socket socket =
        new java.net.Socket(shop.at("/").getHost(), shop.at("/").getPort())) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(UTF_8));
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      return Integer.parseInt(answer.split(" ", -1)[1]);
    }
  }
}
