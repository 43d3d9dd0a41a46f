package dev.contrail.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitUntilState;
import dev.contrail.console.access.Role;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The console in a real browser, as an operator uses it. */
@Tag("slow")
class BrowserTest {
  private static final double SOON = 60_000;
  private static final String AXE = "META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

  private static Playwright playwright;
  private static Browser browser;

  @BeforeAll
  @SuppressWarnings("NullAway.Init")
  static void start() {
    PlaywrightAssertions.setDefaultAssertionTimeout(SOON);
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(
                        Path.of(
                            Optional.ofNullable(System.getenv("CHROMIUM"))
                                .orElse("/usr/bin/chromium")))
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-dev-shm-usage",
                            "--disable-background-networking")));
  }

  @AfterAll
  static void end() {
    browser.close();
    playwright.close();
  }

  @Test
  void from_the_worst_group_over_an_edit_to_resolved() throws Exception {
    try (Shop shop = new Shop()) {
      shop.die("{\"order\":\"bad\"}");
      inBrowser(
          1280,
          800,
          page -> {
            open(page, shop, "/");
            Locator group = page.locator("table.groups tbody tr").first();
            assertThat(group).isInViewport();
            group.locator(".what a").click();
            page.getByRole(AriaRole.BUTTON, named("Edit and replay")).click();
            page.locator("textarea").fill("{\"order\":\"good\"}");
            page.getByRole(AriaRole.BUTTON, named("See what changes")).click();
            assertThat(page.locator("pre.diff .plus")).containsText("good");
            page.getByRole(AriaRole.BUTTON, named("Store and replay")).click();
            assertThat(page.locator("#resolved")).hasText("1");
            assertThat(page.locator("#published")).hasJSProperty("value", 1);
            assertThat(page.locator("main")).containsText("finished");
          });
    }
  }

  @Test
  void a_replay_starts_within_three_clicks_and_is_cancelled_and_resumed() throws Exception {
    try (Shop shop = new Shop()) {
      for (int i = 0; i < 3; i++) {
        shop.die("bad " + i);
      }
      inBrowser(
          1280,
          800,
          page -> {
            startSlowReplay(page, shop, 3);
            page.getByRole(AriaRole.BUTTON, named("Cancel")).click();
            assertThat(page.locator("main")).containsText("cancelled");
            page.getByRole(AriaRole.BUTTON, named("Resume")).click();
            assertThat(page.getByRole(AriaRole.BUTTON, named("Cancel"))).isVisible();
          });
    }
  }

  /** In three clicks. */
  private static void startSlowReplay(Page page, Shop shop, int messages) {
    open(page, shop, "/");
    page.locator("table.groups").getByRole(AriaRole.BUTTON, replay()).first().click();
    page.locator("input[name=rate]").fill("1/h");
    page.locator("select[name=stop-on-return]").selectOption("false");
    page.getByRole(AriaRole.BUTTON, named("Start replay of " + messages)).click();
  }

  @Test
  void a_button_is_not_shown_anew_while_it_is_pressed() throws Exception {
    try (Shop shop = new Shop()) {
      shop.die("bad 1");
      shop.die("bad 2");
      inBrowser(
          1280,
          800,
          page -> {
            startSlowReplay(page, shop, 2);
            page.waitForURL(Pattern.compile(".*/replays/2.*"));
            page.getByRole(AriaRole.BUTTON, named("Cancel")).waitFor();
            page.evaluate(
                """
                () => new Promise(done => {
                  addEventListener("htmx:afterRequest", done);
                  window.pressed = [...document.querySelectorAll("button")]
                      .find(one => one.textContent === "Cancel");
                  window.pressed.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
                  htmx.trigger("#page", "live");
                }).then(() => {})""");
            assertThat(page.evaluate("window.pressed.isConnected")).isEqualTo(true);
            page.evaluate("window.pressed.click()");
            assertThat(page.locator("main")).containsText("cancelled");
          });
    }
  }

  @Test
  void a_hostile_message_is_text_and_runs_nothing() throws Exception {
    try (Shop shop = new Shop()) {
      String script = "<script>window.owned=1</script><img src=x onerror='window.owned=1'>";
      String id =
          shop.die(script.getBytes(UTF_8), Map.of("X-Evil", "\"><script>window.owned=1</script>"));
      List<String> said = new ArrayList<>();
      inBrowser(
          1280,
          800,
          page -> {
            page.onConsoleMessage(message -> said.add(message.text()));
            for (String path : List.of("/", "/groups", "/dead-letters", "/dead-letters/" + id)) {
              open(page, shop, path);
              assertThat(page.locator("body")).containsText("window.owned=1");
              assertThat(page.evaluate("window.owned")).as(path).isNull();
            }
          });
      assertThat(said).as("nothing was even tried").isEmpty();
    }
  }

  @Test
  void the_keyboard_is_enough() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("bad");
      inBrowser(
          1280,
          800,
          page -> {
            open(page, shop, "/dead-letters");
            page.keyboard().press("/");
            page.keyboard().type("nothing like it");
            page.keyboard().press("Enter");
            assertThat(page.locator("#page")).containsText("No dead letters that match");
            open(page, shop, "/dead-letters");
            page.keyboard().press("j");
            page.keyboard().press("Enter");
            page.waitForURL(
                "**/dead-letters/" + id,
                new Page.WaitForURLOptions().setWaitUntil(WaitUntilState.COMMIT));
            assertThat(page.locator("h1")).containsText("will not charge");
            page.getByRole(AriaRole.BUTTON, named("Discard")).focus();
            page.keyboard().press("Enter");
            assertThat(page.locator("input[name=because]")).isFocused();
            page.keyboard().type("a test order");
            page.keyboard().press("Enter");
            assertThat(page.locator("main")).containsText("discarded: a test order");
          });
    }
  }

  @Test
  void pages_that_are_open_follow_what_happens() throws Exception {
    try (Shop shop = new Shop()) {
      inBrowser(
          1280,
          800,
          page -> {
            open(page, shop, "/dead-letters");
            assertThat(page.locator("#live")).hasText("live");
            assertThat(page.locator("#page")).containsText("No dead letters");
            die(shop, "bad news");
            assertThat(page.locator("#page")).containsText("bad news");
          });
    }
  }

  @Test
  void with_a_wrong_token_nobody_gets_in_and_a_viewer_can_only_look() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("{\"order\":\"bad\"}");
      String viewer = shop.token("vera", Role.VIEWER);
      inBrowser(
          1280,
          800,
          page -> {
            open(page, shop, "/dead-letters/" + id);
            assertThat(page).hasURL(Pattern.compile(".*/login.*"));
            assertThat(page.locator("body")).not().containsText("will not charge");
            page.getByLabel("Token").fill("contrail_wrong");
            page.keyboard().press("Enter");
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("no token");
            page.getByLabel("Token").fill(viewer);
            page.keyboard().press("Enter");
            assertThat(page).hasURL(shop.at("/dead-letters/" + id).toString());
            assertThat(page.locator("h1")).containsText("will not charge");
            for (String path : List.of("/", "/groups", "/dead-letters", "/dead-letters/" + id)) {
              open(page, shop, path);
              for (String act : List.of("Replay", "Edit and replay", "Discard", "Replay chosen")) {
                assertThat(page.getByRole(AriaRole.BUTTON, named(act))).hasCount(0);
              }
            }
            open(page, shop, "/replays/new?id=" + id);
            assertThat(page.locator("main")).containsText("vera may look and not act");
            page.getByRole(AriaRole.BUTTON, named("Log out")).click();
            assertThat(page).hasURL(shop.at("/login").toString());
            open(page, shop, "/groups");
            assertThat(page).hasURL(Pattern.compile(".*/login.*"));
          });
    }
  }

  @Test
  void a_form_that_another_page_sends_is_refused() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("bad");
      String evil =
          "<form method=post action='"
              + shop.at("/discard")
              + "'><input name=id value='"
              + id
              + "'><input name=because value=x><button>go</button></form>";
      inBrowser(
          1280,
          800,
          page -> {
            page.route(
                "http://evil.example/**",
                route ->
                    route.fulfill(
                        new Route.FulfillOptions().setContentType("text/html").setBody(evil)));
            page.navigate("http://evil.example/");
            page.getByRole(AriaRole.BUTTON, named("go")).click();
            assertThat(page.locator("main"))
                .containsText("did not come from a page of this console");
            // Not as a frame either.
            page.navigate("http://evil.example/");
            page.evaluate(
                "url => { const f = document.createElement('iframe'); f.src = url;"
                    + " document.body.append(f); }",
                shop.at("/").toString());
            page.waitForFunction("() => document.querySelector('iframe') !== null");
            assertThat(page.frameLocator("iframe").locator("table.groups")).hasCount(0);
          });
      assertThat(shop.state(id)).isEqualTo("open");
    }
  }

  @Test
  void a_report_of_a_drill_is_a_page_that_can_do_nothing() throws Exception {
    try (Shop shop = new Shop()) {
      Files.writeString(
          shop.premises.reports.resolve("evil.html"),
          "<!DOCTYPE html><title>r</title><style>p{color:rgb(1,2,3)}</style><p id=p>All of it</p>"
              + "<script>top.owned=1;document.body.textContent='owned'</script>"
              + "<img src=x onerror='top.owned=1'><a id=out href='/groups' target=_top>out</a>"
              + "<form action='"
              + shop.at("/logout")
              + "' method=post><button>send</button></form>");
      inBrowser(
          1280,
          800,
          page -> {
            open(page, shop, "/drills/evil.html");
            Locator text = page.frameLocator("iframe.report").locator("#p");
            assertThat(text).hasText("All of it");
            assertThat(text).hasCSS("color", "rgb(1, 2, 3)");
            assertThat(page.evaluate("window.owned")).isNull();
            page.frameLocator("iframe.report").locator("#out").click();
            page.frameLocator("iframe.report").getByText("send").click();
            assertThat(text).hasText("All of it");
            assertThat(page).hasURL(shop.at("/drills/evil.html").toString());
            // By itself it is a page of nobody, too.
            open(page, shop, "/drills/evil.html/page");
            assertThat(page.locator("#p")).hasText("All of it");
            assertThat(page.evaluate("self.origin")).isEqualTo("null");
          });
    }
  }

  @Test
  void from_the_worst_group_a_replay_starts_in_three_clicks_without_scrolling() throws Exception {
    try (Shop shop = new Shop()) {
      for (int i = 0; i < 3; i++) {
        shop.die("bad " + i);
      }
      AtomicInteger clicks = new AtomicInteger();
      inBrowser(
          1280,
          800,
          page -> {
            open(page, shop, "/");
            Locator worst = page.locator("table.groups tbody tr").first();
            assertThat(worst).isInViewport(new LocatorAssertions.IsInViewportOptions().setRatio(1));
            assertThat(page.evaluate("scrollY")).isEqualTo(0);
            click(worst.getByRole(AriaRole.BUTTON, replay()), clicks);
            Locator start = page.getByRole(AriaRole.BUTTON, named("Start replay of 3"));
            assertThat(start).isInViewport(new LocatorAssertions.IsInViewportOptions().setRatio(1));
            click(start, clicks);
            page.waitForURL(Pattern.compile(".*/replays/2.*"));
            assertThat(page.locator("progress").first()).isVisible();
          });
      assertThat(clicks.get()).isLessThanOrEqualTo(3);
    }
  }

  private static void click(Locator what, AtomicInteger clicks) {
    what.click();
    clicks.incrementAndGet();
  }

  /**
   * Every page there is: a new route that shows one and is not visited here fails this test, and so
   * does one that does not fit a telephone, or that axe calls serious, in light or in dark.
   */
  @Test
  void every_page_fits_a_telephone_and_is_open_to_all_in_light_and_dark() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("{\"order\":\"bad\"}");
      shop.die("bad " + "averylongwordwithoutanybreak".repeat(40));
      String done = shop.die("bad");
      Files.writeString(shop.premises.reports.resolve("a.html"), "<html lang=en><title>a</title>x");
      Files.writeString(shop.premises.reports.resolve("a.json"), "{\"a\":[1,2]}");
      shop.submit("/discard", Map.of("id", done, "because", "a test"));
      String plan =
          shop.submit("/replays", Map.of("id", id, "rate", "1/h"))
              .headers()
              .firstValue("location")
              .orElseThrow();
      Map<String, List<String>> pages = new LinkedHashMap<>();
      pages.put("/", List.of("/"));
      pages.put("/groups", List.of("/groups", "/groups?stream=NONE"));
      pages.put(
          "/dead-letters", List.of("/dead-letters", "/dead-letters?text=none&from=2026-01-01"));
      pages.put("/dead-letters/{id}", List.of("/dead-letters/" + id, "/dead-letters/" + done));
      pages.put("/dead-letters/{id}/edit", List.of("/dead-letters/" + shop.die("bad") + "/edit"));
      pages.put("/discard", List.of("/discard?id=" + id));
      pages.put("/replays/new", List.of("/replays/new?id=" + id, "/replays/new?state=open"));
      pages.put("/replays", List.of("/replays"));
      pages.put("/replays/{plan}", List.of(plan));
      pages.put("/workers", List.of("/workers"));
      pages.put("/streams", List.of("/streams"));
      pages.put("/orphans", List.of("/orphans"));
      pages.put("/doctor", List.of("/doctor"));
      pages.put("/audit", List.of("/audit", "/audit?stream=ORDERS"));
      pages.put("/drills", List.of("/drills"));
      pages.put("/drills/{name}", List.of("/drills/a.html", "/drills/a.json"));
      pages.put("an error", List.of("/nothing"));
      pages.put("/login", List.of());
      Set<String> noPages =
          Set.of(
              "/assets/{version}/{name}",
              "/live",
              "/healthz",
              "/readyz",
              "/metrics",
              "/dead-letters.csv",
              "/dead-letters/{id}/payload",
              "/drills/{name}/file",
              "/drills/{name}/page");
      assertThat(
              shop.premises.http.routes().stream()
                  .filter(route -> route.method().equals("GET") && !route.isApi())
                  .map(dev.contrail.console.web.Route::path)
                  .filter(path -> !noPages.contains(path)))
          .as("pages that are visited")
          .allMatch(pages::containsKey);
      for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        for (int width : List.of(390, 1280)) {
          inBrowser(
              width,
              width == 390 ? 844 : 800,
              scheme,
              page ->
                  pages.values().stream()
                      .flatMap(List::stream)
                      .forEach(path -> looksGood(page, shop, path, width + " " + scheme)));
        }
      }
      shop.token("vera", Role.VIEWER);
      for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        inBrowser(390, 844, scheme, page -> looksGood(page, shop, "/login", "390 " + scheme));
      }
    }
  }

  private static void looksGood(Page page, Shop shop, String path, String how) {
    open(page, shop, path);
    assertThat(
            page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
        .as("%s at %s overflows by", path, how)
        .isEqualTo(0);
    assertThat(serious(page)).as("%s at %s", path, how).isEmpty();
    picture(page, path, how);
  }

  /** For people who want to see them: -Dcontrail.screenshots=FOLDER. */
  private static void picture(Page page, String path, String how) {
    String folder = System.getProperty("contrail.screenshots", "");
    if (!folder.isEmpty()) {
      String name = (path.replaceAll("[^a-z-]+", "_") + "-" + how).replace(' ', '-');
      page.screenshot(
          new Page.ScreenshotOptions().setPath(Path.of(folder, name + ".png")).setFullPage(false));
    }
  }

  /** What axe calls serious or worse. */
  private static String serious(Page page) {
    // By evaluation: the page's own policy would not let it in as a script.
    page.evaluate(axe());
    return String.valueOf(
        page.evaluate(
            """
            async () => {
              const found = await axe.run({ resultTypes: ['violations'] });
              return found.violations
                .filter(it => it.impact === 'serious' || it.impact === 'critical')
                .map(it => it.id + ': ' + it.nodes.map(n => n.html).slice(0, 3).join(' | '))
                .join('\\n');
            }
            """));
  }

  private static String axe() {
    try (InputStream in = BrowserTest.class.getClassLoader().getResourceAsStream(AXE)) {
      if (in == null) {
        throw new IllegalStateException(AXE + " is missing");
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void die(Shop shop, String payload) {
    try {
      shop.die(payload);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void open(Page page, Shop shop, String path) {
    // Pages that are live never come to rest.
    page.navigate(
        shop.at(path).toString(),
        new Page.NavigateOptions().setWaitUntil(WaitUntilState.DOMCONTENTLOADED).setTimeout(SOON));
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  private static Locator.GetByRoleOptions replay() {
    return new Locator.GetByRoleOptions().setName("Replay").setExact(true);
  }

  private static void inBrowser(int width, int height, Consumer<Page> use) {
    inBrowser(width, height, ColorScheme.LIGHT, use);
  }

  private static void inBrowser(int width, int height, ColorScheme scheme, Consumer<Page> use) {
    try (BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setColorScheme(scheme))) {
      context.setDefaultTimeout(SOON);
      use.accept(context.newPage());
    }
  }
}
