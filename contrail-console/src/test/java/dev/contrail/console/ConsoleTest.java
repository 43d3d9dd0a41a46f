package dev.contrail.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.console.access.Role;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Route;
import dev.contrail.event.Act;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.acts.Acts;
import io.nats.client.JetStreamOptions;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pages, API and who gets in, on a real server. */
class ConsoleTest {
  private static final String SCRIPT =
      "<script>document.title='owned'</script><img src=x onerror=1>";

  @Test
  void every_page_shows_what_died_and_nothing_of_it_is_markup() throws Exception {
    try (Shop shop = new Shop()) {
      String hostile =
          shop.die((SCRIPT + "\u001b[31m \u202e").getBytes(UTF_8), Map.of("X-Note", SCRIPT));
      String binary = shop.die(new byte[] {(byte) 0xff, 0, 1, (byte) 0xfe}, Map.of());
      String large = shop.die("{\"a\":\"" + "x".repeat(900_000) + "\"}");
      String plain = shop.die(SCRIPT);
      List<String> paths =
          List.of(
              "/",
              "/groups",
              "/dead-letters",
              "/dead-letters?text=charge&sort=size",
              "/dead-letters/" + hostile,
              "/dead-letters/" + binary,
              "/dead-letters/" + large,
              "/dead-letters/" + plain + "/edit",
              "/discard?id=" + hostile,
              "/replays/new?id=" + hostile,
              "/replays/new?reason=rejected",
              "/replays",
              "/workers",
              "/streams",
              "/orphans",
              "/doctor",
              "/audit",
              "/audit?stream=ORDERS",
              "/drills",
              "/nothing");
      for (String path : paths) {
        HttpResponse<String> page = shop.page(path);
        assertThat(page.statusCode()).as(path).isEqualTo(path.equals("/nothing") ? 404 : 200);
        assertThat(page.body())
            .as(path)
            .doesNotContain(
                "<script>document", "<img src=x", "\u001b", "\u202e", "style=\"", " onclick=");
        assertThat(page.headers().firstValue("content-security-policy").orElse(""))
            .as(path)
            .contains("script-src 'self'", "frame-ancestors 'none'")
            .doesNotContain("unsafe");
        assertThat(page.body().length()).as(path + " is bounded").isLessThan(600_000);
      }
      assertThat(shop.page("/dead-letters/" + hostile).body())
          .contains("&lt;script&gt;document.title", "X-Note", "␛[31m", "\\u{202e}");
      HttpResponse<String> file = shop.page("/dead-letters/" + hostile + "/payload");
      assertThat(file.headers().firstValue("content-disposition").orElse(""))
          .startsWith("attachment");
      assertThat(file.headers().firstValue("content-type").orElse(""))
          .isEqualTo("application/octet-stream");
      assertThat(shop.page("/dead-letters/" + hostile + "/edit").statusCode())
          .as("a browser would change it")
          .isEqualTo(409);
      assertThat(shop.page("/dead-letters/nonsense").statusCode()).isEqualTo(400);
      assertThat(shop.page("/dead-letters?state=odd").body()).contains("is no state; accepted are");
    }
  }

  @Test
  void the_list_as_a_file_runs_nothing_in_a_spreadsheet() throws Exception {
    try (Shop shop = new Shop()) {
      shop.die("=HYPERLINK(\"http://evil.example\")");
      HttpResponse<String> file = shop.page("/dead-letters.csv?reason=rejected");
      assertThat(file.headers().firstValue("content-disposition").orElse(""))
          .isEqualTo("attachment; filename=\"dead-letters.csv\"");
      assertThat(file.headers().firstValue("content-type").orElse("")).startsWith("text/csv");
      assertThat(file.body().lines()).hasSize(2);
      assertThat(file.body()).contains("will not charge =HYPERLINK(\"\"http://evil.example\"\")");
      assertThat(shop.page("/dead-letters.csv?reason=orphaned").body().lines()).hasSize(1);
    }
  }

  @Test
  void reports_of_drills_are_read_from_their_folder_alone() throws Exception {
    try (Shop shop = new Shop()) {
      Path reports = shop.premises.reports;
      Path secret = Files.createTempFile("contrail", "secret.html");
      Files.writeString(secret, "secret");
      Files.createSymbolicLink(reports.resolve("link.html"), secret);
      Files.createDirectory(reports.resolve("folder.html"));
      Files.writeString(reports.resolve("a.html"), "<p>fine</p>");
      for (String name :
          List.of(
              "link.html",
              "folder.html",
              "..%2f" + secret.getFileName(),
              "%2e%2e%2f" + secret.getFileName(),
              "..%5c" + secret.getFileName(),
              "a.html%00.json",
              ".html",
              "a.txt")) {
        for (String end : List.of("", "/file", "/page")) {
          HttpResponse<String> answer = shop.page("/drills/" + name + end);
          assertThat(answer.statusCode()).as(name + end).isIn(400, 404);
          assertThat(answer.body()).doesNotContain(">secret");
        }
      }
      assertThat(shop.page("/drills").body()).contains("a.html").doesNotContain("link.html");
      HttpResponse<String> page = shop.page("/drills/a.html/page");
      assertThat(page.body()).isEqualTo("<p>fine</p>");
      assertThat(page.headers().firstValue("content-security-policy").orElse(""))
          .contains("default-src 'none'", "frame-ancestors 'self'")
          .endsWith("; sandbox");
      Files.delete(secret);
    }
  }

  @Test
  void what_is_done_is_in_the_history_under_the_name_of_who_did_it() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("{\"order\":\"bad\"}");

      HttpResponse<String> preview =
          shop.submit(
              "/dead-letters/" + id + "/edit",
              Map.of("act", "preview", "version", "0", "payload", "{\"order\":\"good\"}"));
      assertThat(preview.body())
          .contains("+{&#34;order&#34;:&#34;good&#34;}".replace("&#34;", "\""))
          .contains("Store and replay");
      assertThat(shop.state(id)).isEqualTo("open");

      HttpResponse<String> stored =
          shop.submit(
              "/dead-letters/" + id + "/edit",
              Map.of("act", "replay", "version", "0", "payload", "{\"order\":\"good\"}"));
      assertThat(stored.statusCode()).isEqualTo(303);
      String plan = stored.headers().firstValue("location").orElseThrow();
      await().atMost(Premises.SOON).until(() -> shop.state(id).equals("resolved"));
      await()
          .atMost(Premises.SOON)
          .untilAsserted(
              () ->
                  assertThat(shop.page(plan).body())
                      .contains("<b id=\"resolved\">1</b>", "finished"));

      String other = shop.die("bad again");
      assertThat(shop.submit("/discard", Map.of("id", other, "because", " ")).statusCode())
          .isEqualTo(400);
      assertThat(shop.state(other)).isEqualTo("open");
      shop.submit("/discard", Map.of("id", other, "because", "a test order"));
      assertThat(shop.state(other)).isEqualTo("discarded");
      shop.submit("/restore", Map.of("id", other));
      assertThat(shop.state(other)).isEqualTo("open");
      shop.submit("/dead-letters/" + other + "/note", Map.of("text", "waits for Ann"));
      assertThat(shop.page("/dead-letters/" + other).body())
          .contains("discarded: a test order", "restored", "note: waits for Ann", "<b>tester</b>");
    }
  }

  @Test
  void with_tokens_nobody_gets_in_without_one() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("bad");
      String viewer = shop.token("vera", Role.VIEWER);
      String operator = shop.token("olaf", Role.OPERATOR);
      for (Route route : shop.premises.http.routes()) {
        HttpRequest.Builder request =
            shop.request(path(route, id)).method(route.method(), BodyPublishers.ofString("{}"));
        int open = shop.send(request).statusCode();
        if (route.need() == Need.NOBODY) {
          assertThat(List.of("/healthz", "/readyz", "/login", "/assets/{version}/{name}"))
              .as("what is open to all")
              .contains(route.path());
        } else {
          assertThat(open).as(route.method() + " " + route.path()).isEqualTo(401);
        }
        if (route.need() == Need.OPERATOR) {
          int viewed =
              shop.send(request.setHeader("Authorization", "Bearer " + viewer)).statusCode();
          assertThat(viewed).as("viewer at " + route.path()).isEqualTo(403);
          assertThat(
                  shop.send(request.setHeader("Authorization", "Bearer " + operator)).statusCode())
              .as("operator at " + route.path())
              .isNotIn(401, 403, 429);
        }
      }
      for (String wrong : List.of("Bearer " + viewer + "x", "Bearer ", "Basic eDp5", viewer)) {
        assertThat(
                shop.send(shop.request("/api/v1/groups").header("Authorization", wrong))
                    .statusCode())
            .as(wrong)
            .isEqualTo(401);
      }
      assertThat(shop.page("/groups").headers().firstValue("location").orElse(""))
          .isEqualTo("/login?next=%2Fgroups");
      assertThat(shop.state(id)).isEqualTo("open");
    }
  }

  @Test
  void logins_that_fail_are_slowed_down_and_a_token_that_is_revoked_is_worth_nothing()
      throws Exception {
    try (Shop shop = new Shop()) {
      String viewer = shop.token("vera", Role.VIEWER);
      List<Integer> answers = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        answers.add(shop.send(shop.form("/login", Map.of("token", "wrong"))).statusCode());
      }
      assertThat(answers).contains(401).contains(429);
      assertThat(answers.subList(0, 10)).containsOnly(401);
      HttpRequest.Builder groups =
          shop.request("/api/v1/groups").header("Authorization", "Bearer " + viewer);
      assertThat(shop.send(groups).statusCode()).as("who has a token does not wait").isEqualTo(200);

      shop.revoke(viewer);

      await().atMost(Premises.SOON).until(() -> shop.send(groups).statusCode() != 200);
      assertThat(shop.send(shop.request("/api/v1/groups")).statusCode())
          .as("the door stays shut")
          .isEqualTo(401);
    }
  }

  @Test
  void who_logged_in_acts_with_the_word_of_our_pages_alone() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("bad");
      String operator = shop.token("olaf", Role.OPERATOR);
      assertThat(shop.send(shop.form("/login", Map.of("token", "contrail_nonsense"))).statusCode())
          .isEqualTo(401);
      HttpResponse<String> login =
          shop.send(shop.form("/login", Map.of("token", operator, "next", "//evil.example/")));
      assertThat(login.headers().firstValue("location").orElse("")).isEqualTo("/");
      String cookie = login.headers().firstValue("set-cookie").orElseThrow();
      assertThat(cookie).contains("HttpOnly", "SameSite=Strict");
      String session = cookie.substring(0, cookie.indexOf(';'));

      String page =
          shop.send(
                  shop.request("/discard?id=" + id)
                      .header("Accept", "text/html")
                      .header("Cookie", session))
              .body();
      String word = page.replaceAll("(?s).*name=\"_csrf\" value=\"([^\"]+)\".*", "$1");
      Map<String, String> fields = Map.of("id", id, "because", "x");
      assertThat(shop.send(shop.form("/discard", fields).header("Cookie", session)).statusCode())
          .as("without the word")
          .isEqualTo(403);
      Map<String, String> withWord = Map.of("id", id, "because", "x", "_csrf", word);
      assertThat(
              shop.send(
                      shop.form("/discard", withWord)
                          .header("Cookie", session)
                          .header("Origin", "https://evil.example"))
                  .statusCode())
          .as("from another page")
          .isEqualTo(403);
      assertThat(shop.state(id)).isEqualTo("open");
      assertThat(shop.send(shop.form("/discard", withWord).header("Cookie", session)).statusCode())
          .isEqualTo(303);
      assertThat(shop.state(id)).isEqualTo("discarded");
      assertThat(
              shop.send(
                      shop.request("/dead-letters/" + id)
                          .header("Accept", "text/html")
                          .header("Cookie", session))
                  .body())
          .contains("<b>olaf</b>");
    }
  }

  @Test
  void without_tokens_a_page_of_somebody_else_gets_nothing() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("bad");
      assertThat(raw(shop, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 403");
      assertThat(raw(shop, "GET / HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 200");
      assertThat(shop.send(shop.form("/restore", Map.of("id", id))).statusCode()).isEqualTo(403);
      assertThat(
              shop.send(
                      shop.json("/api/v1/discard", "{\"ids\":[\"" + id + "\"],\"because\":\"x\"}")
                          .header("Origin", "https://evil.example"))
                  .statusCode())
          .isEqualTo(403);
      assertThat(
              shop.send(
                      shop.request("/api/v1/discard")
                          .header("Content-Type", "text/plain")
                          .POST(
                              BodyPublishers.ofString(
                                  "{\"ids\":[\"" + id + "\"],\"because\":\"x\"}")))
                  .statusCode())
          .isEqualTo(403);
      assertThat(shop.state(id)).isEqualTo("open");
      assertThat(
              shop.send(
                      shop.json("/api/v1/discard", "{\"ids\":[\"" + id + "\"],\"because\":\"x\"}"))
                  .statusCode())
          .isEqualTo(200);
      assertThat(shop.state(id)).isEqualTo("discarded");
    }
  }

  @Test
  void workers_are_seen_paused_and_resumed() throws Exception {
    try (Shop shop = new Shop()) {
      await()
          .atMost(Premises.SOON)
          .until(
              () ->
                  shop.page("/workers").body().contains("<span class=\"tag s-resolved\">working"));
      assertThat(shop.page("/").body()).contains("processed by 1 worker");

      HttpResponse<String> paused =
          shop.submit(
              "/workers/pause",
              Map.of("stream", "ORDERS", "consumer", "billing", "because", "<b>the bank</b>"));

      assertThat(paused.statusCode()).isEqualTo(303);
      await()
          .atMost(Premises.SOON)
          .until(() -> shop.page("/workers").body().contains(">paused</span>"));
      String page = shop.page("/workers").body();
      assertThat(page)
          .contains("<b>ORDERS billing</b> by tester", "&lt;b&gt;the bank")
          .contains("action=\"/workers/resume\"");
      JsonNode told = JsonMapper.shared().readTree(shop.page("/api/v1/workers").body());
      assertThat(told.path("workers").path(0).path("paused").asBoolean()).isTrue();
      assertThat(told.path("pauses").path(0).path("by").asString()).isEqualTo("tester");
      assertThat(
              JsonMapper.shared()
                  .readTree(shop.page("/api/v1/overview").body())
                  .path("workers")
                  .path("paused")
                  .asInt())
          .isEqualTo(1);

      HttpRequest.Builder resume =
          shop.json("/api/v1/workers/resume", "{\"stream\":\"ORDERS\",\"consumer\":\"billing\"}");
      assertThat(shop.send(resume).statusCode()).isEqualTo(200);
      await()
          .atMost(Premises.SOON)
          .until(() -> shop.page("/workers").body().contains(">working</span>"));
      assertThat(shop.send(resume).statusCode()).as("a second time").isEqualTo(409);
      assertThat(shop.page("/").body()).contains("paused: ORDERS billing, by tester");

      for (String wrong :
          List.of(
              "{}",
              "{\"stream\":\"a.b\"}",
              "{\"stream\":\"ORDERS\",\"worker\":\"x\"}",
              "{\"stream\":\"ORDERS\",\"because\":\"" + "x".repeat(501) + "\"}",
              "{\"stream\":\"ORDERS\",\"because\":7}",
              "{\"stream\":\"ORDERS\",\"consumer\":null}",
              "{\"stream\":\"ORDERS\",\"consumer\":\"\"}",
              "{\"stream\":\"ORDERS\",\"consumer\":[\"billing\"]}",
              "{\"stream\":\"ORDERS\",\"consumer\":\"billing\",\"worker\":null}",
              "{\"stream\":\"ORDERS\",\"consmer\":\"billing\"}")) {
        assertThat(shop.send(shop.json("/api/v1/workers/pause", wrong)).statusCode())
            .as("pause " + wrong)
            .isEqualTo(400);
        assertThat(shop.send(shop.json("/api/v1/workers/resume", wrong)).statusCode())
            .as("resume " + wrong)
            .isEqualTo(400);
      }
      assertThat(
              shop.submit("/workers/pause", Map.of("stream", "ORDERS", "consumer", ""))
                  .statusCode())
          .isEqualTo(400);
      assertThat(
              shop.send(shop.json("/api/v1/workers/pause", "{\"stream\":\"NONE\"}")).statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void who_paused_workers_and_made_tokens_is_on_record_under_the_name_of_the_token()
      throws Exception {
    try (Shop shop = new Shop()) {
      String operator = shop.token("olaf", Role.OPERATOR);
      for (String order : List.of("pause", "resume")) {
        String because = order.equals("pause") ? ",\"because\":\"\\u001b[31mthe bank\"" : "";
        assertThat(
                shop.send(
                        shop.json(
                                "/api/v1/workers/" + order,
                                "{\"stream\":\"ORDERS\"" + because + "}")
                            .header("Authorization", "Bearer " + operator))
                    .statusCode())
            .as(order)
            .isEqualTo(200);
      }
      HttpRequest.Builder asked =
          shop.request("/api/v1/acts").header("Authorization", "Bearer " + operator);
      await()
          .atMost(Premises.SOON)
          .untilAsserted(
              () -> {
                List<String> acts = new ArrayList<>();
                JsonMapper.shared()
                    .readTree(shop.send(asked).body())
                    .path("acts")
                    .forEach(
                        it ->
                            acts.add(
                                it.path("by").asString()
                                    + " "
                                    + it.path("act").asString()
                                    + " "
                                    + it.path("because").asString()));
                assertThat(acts)
                    .containsExactly(
                        "olaf workers-resumed ",
                        "olaf workers-paused \u001b[31mthe bank",
                        "test token-created operator");
              });
      shop.revoke(operator);
      assertThat(
              new Acts(
                      shop.premises.connection,
                      JetStreamOptions.defaultOptions(),
                      new Names("contrail"))
                  .newest(1)
                  .acts())
          .singleElement()
          .satisfies(
              it -> {
                assertThat(it.kind()).isEqualTo(Act.Kind.TOKEN_REVOKED);
                assertThat(it.by()).isEqualTo("tester");
                assertThat(it.what()).endsWith(" of olaf");
              });
    }
  }

  @Test
  void the_page_of_workers_says_when_it_is_old() throws Exception {
    try (Shop shop = new Shop()) {
      await()
          .atMost(Premises.SOON)
          .until(() -> shop.page("/workers").body().contains(">working</span>"));
      assertThat(shop.page("/workers").body()).doesNotContain("could not be looked at");
      assertThat(shop.page("/").body()).doesNotContain("they cannot be looked at");
      JsonNode fresh = JsonMapper.shared().readTree(shop.page("/api/v1/workers").body());
      assertThat(fresh.path("stale").asBoolean(true)).isFalse();
      shop.premises.own.close();
      await()
          .atMost(Premises.SOON)
          .untilAsserted(
              () ->
                  assertThat(shop.page("/workers").body())
                      .contains("Workers could not be looked at for 3"));
      assertThat(shop.page("/").body()).contains("ago: they cannot be looked at");
      JsonNode old = JsonMapper.shared().readTree(shop.page("/api/v1/workers").body());
      assertThat(old.path("stale").asBoolean()).isTrue();
      assertThat(Instant.parse(old.path("seenAt").asString()))
          .isBefore(Instant.now().minusSeconds(29));
      assertThat(
              JsonMapper.shared()
                  .readTree(shop.page("/api/v1/overview").body())
                  .path("workers")
                  .path("stale")
                  .asBoolean())
          .isTrue();
    }
  }

  @Test
  void the_document_of_the_api_tells_of_every_route() throws Exception {
    try (Shop shop = new Shop()) {
      JsonNode document = JsonMapper.shared().readTree(shop.page("/api/v1/openapi.json").body());
      Set<String> told = new TreeSet<>();
      document
          .path("paths")
          .properties()
          .forEach(
              path ->
                  path.getValue()
                      .propertyNames()
                      .forEach(
                          method ->
                              told.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
      Set<String> there = new TreeSet<>();
      shop.premises.http.routes().stream()
          .filter(
              route ->
                  route.isApi()
                      || route.path().equals("/healthz")
                      || route.path().equals("/readyz")
                      || route.path().equals("/metrics"))
          .forEach(route -> there.add(route.method() + " " + route.path()));
      assertThat(told).isEqualTo(there);
    }
  }

  @Test
  void the_api_lists_drafts_replays_and_tells_errors() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("{\"order\":\"bad\"}");
      JsonMapper json = JsonMapper.shared();
      JsonNode list = json.readTree(shop.page("/api/v1/dead-letters?stream=ORDERS&limit=1").body());
      assertThat(list.path("entries").get(0).path("id").asString()).isEqualTo(id);
      assertThat(list.path("matching").asLong()).isEqualTo(1);
      JsonNode draft =
          json.readTree(
              shop.send(shop.json("/api/v1/replays/draft", "{\"ids\":[\"" + id + "\"]}")).body());
      assertThat(draft.path("planned").get(0).path("subject").asString()).isEqualTo("orders.new");
      assertThat(
              shop.send(
                      shop.json(
                          "/api/v1/dead-letters/" + id + "/edit",
                          "{\"version\":0,\"payload\":\"{\\\"order\\\":\\\"good\\\"}\"}"))
                  .body())
          .contains("\"version\":1");
      HttpResponse<String> started =
          shop.send(shop.json("/api/v1/replays", "{\"ids\":[\"" + id + "\"]}"));
      assertThat(started.statusCode()).isEqualTo(202);
      String plan = json.readTree(started.body()).path("plan").asString();
      await()
          .atMost(Premises.SOON)
          .untilAsserted(
              () ->
                  assertThat(
                          json.readTree(shop.page("/api/v1/replays/" + plan).body())
                              .path("resolved")
                              .asInt())
                      .isEqualTo(1));
      List<String> refused = new ArrayList<>();
      for (String body :
          List.of("", "[]", "{}", "{\"ids\":[\"nonsense\"]}", "{\"all\":true,\"rate\":\"fast\"}")) {
        HttpResponse<String> answer = shop.send(shop.json("/api/v1/replays", body));
        assertThat(answer.statusCode()).as(body).isEqualTo(400);
        refused.add(json.readTree(answer.body()).path("error").path("code").asString());
      }
      assertThat(refused).containsOnly("bad-request");
      assertThat(shop.send(shop.json("/api/v1/replays", "{\"ids\":[\"" + id + "\"]}")).statusCode())
          .as("it is resolved")
          .isEqualTo(409);
      assertThat(shop.page("/api/v1/replays/none").statusCode()).isEqualTo(404);
      assertThat(shop.send(shop.json("/api/v1/discard", "x".repeat(70_000))).statusCode())
          .isEqualTo(413);
    }
  }

  private static String path(Route route, String id) {
    return route
        .path()
        .replace("{id}", id)
        .replace("{plan}", "20260101-000000-abc")
        .replace("{version}", "1")
        .replace("{name}", "app.css")
        .replace("{stream}", "ORDERS");
  }

  private static String raw(Shop shop, String request) throws Exception {
    try (Socket socket = new Socket(shop.at("/").getHost(), shop.at("/").getPort())) {
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }
}
