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
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitUntilState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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
            open(page, shop, "/");
            page.locator("table.groups").getByRole(AriaRole.BUTTON, replay()).first().click();
            page.locator("input[name=rate]").fill("1/h");
            page.locator("select[name=stop-on-return]").selectOption("false");
            page.getByRole(AriaRole.BUTTON, named("Start replay of 3")).click();
            page.getByRole(AriaRole.BUTTON, named("Cancel")).click();
            assertThat(page.locator("main")).containsText("cancelled");
            page.getByRole(AriaRole.BUTTON, named("Resume")).click();
            assertThat(page.getByRole(AriaRole.BUTTON, named("Cancel"))).isVisible();
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
  void every_page_fits_a_telephone_and_is_open_to_all() throws Exception {
    try (Shop shop = new Shop()) {
      String id = shop.die("{\"order\":\"bad\"}");
      List<String> paths =
          List.of(
              "/",
              "/groups",
              "/dead-letters",
              "/dead-letters/" + id,
              "/dead-letters/" + id + "/edit",
              "/discard?id=" + id,
              "/replays/new?id=" + id,
              "/replays",
              "/workers",
              "/streams",
              "/orphans",
              "/doctor",
              "/audit?stream=ORDERS",
              "/drills",
              "/nothing");
      for (int width : List.of(390, 1280)) {
        inBrowser(
            width,
            844,
            page -> {
              for (String path : paths) {
                open(page, shop, path);
                assertThat(
                        page.evaluate(
                            "document.documentElement.scrollWidth -"
                                + " document.documentElement.clientWidth"))
                    .as("%s at %s overflows by", path, width)
                    .isEqualTo(0);
                assertThat(serious(page)).as("%s at %s", path, width).isEmpty();
              }
            });
      }
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
    try (BrowserContext context =
        browser.newContext(new Browser.NewContextOptions().setViewportSize(width, height))) {
      context.setDefaultTimeout(SOON);
      use.accept(context.newPage());
    }
  }
}
