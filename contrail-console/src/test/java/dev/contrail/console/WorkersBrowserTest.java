package dev.contrail.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitUntilState;
import dev.contrail.engine.WorkerCounts;
import dev.contrail.jetstream.report.WorkerReport;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The Workers page in a real browser. Pictures of it are left in target/shots. */
class WorkersBrowserTest {
  private static final int SOON = 60_000;
  private static final String AXE = "META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
  private static final String SCRIPT = "<script>document.title='owned'</script>\u001b[31m";

  private static Playwright playwright;
  private static Browser browser;

  @BeforeAll
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
  void workers_are_paused_and_resumed_by_a_click() throws Exception {
    try (Shop shop = new Shop();
        BrowserContext context = browser.newContext()) {
      context.setDefaultTimeout(SOON);
      Page page = context.newPage();
      open(page, shop, "/workers");
      var table = page.locator("table.workers");
      PlaywrightAssertions.assertThat(table).containsText("working");

      page.getByLabel("Why billing is to pause").fill("the bank is down");
      page.getByRole(AriaRole.BUTTON, named("Pause all workers of ORDERS billing")).click();

      PlaywrightAssertions.assertThat(page.locator(".banner"))
          .containsText("Paused: ORDERS billing by tester");
      PlaywrightAssertions.assertThat(page.locator(".banner")).containsText("the bank is down");
      PlaywrightAssertions.assertThat(table).containsText("paused");

      page.getByRole(AriaRole.BUTTON, named("Resume ORDERS billing")).click();

      PlaywrightAssertions.assertThat(table).containsText("working");
      PlaywrightAssertions.assertThat(page.locator(".banner")).hasCount(0);
    }
  }

  @Test
  void a_reason_that_was_typed_stays_while_the_button_has_the_focus() throws Exception {
    try (Shop shop = new Shop();
        BrowserContext context = browser.newContext()) {
      context.setDefaultTimeout(SOON);
      Page page = context.newPage();
      open(page, shop, "/workers");
      var why = page.getByLabel("Why billing is to pause");
      why.fill("the bank is down");
      page.getByRole(AriaRole.BUTTON, named("Pause all workers of ORDERS billing")).focus();
      // The page asks for itself once a second.
      page.evaluate("window.ticks = 0; setInterval(() => window.ticks++, 1000)");
      page.waitForCondition(() -> (boolean) page.evaluate("window.ticks > 3"));
      assertThat(why.inputValue()).isEqualTo("the bank is down");

      page.evaluate("document.getElementById('page').old = true");
      why.fill("");
      page.getByRole(AriaRole.BUTTON, named("Pause all workers of ORDERS billing")).focus();
      page.waitForCondition(() -> (boolean) page.evaluate("!document.getElementById('page').old"));
    }
  }

  @Test
  void what_they_tell_is_text_and_fits_any_width() throws Exception {
    try (Shop shop = new Shop()) {
      shop.submit(
          "/workers/pause", Map.of("stream", "ORDERS", "consumer", "billing", "because", SCRIPT));
      await()
          .atMost(Premises.SOON)
          // Until the first report has made the bucket.
          .ignoreExceptions()
          .until(
              () -> {
                forge(shop);
                return shop.page("/workers").body().contains("breaker open");
              });
      for (int width : List.of(390, 1280)) {
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
          look(shop, width, scheme);
        }
      }
    }
  }

  private static void look(Shop shop, int width, ColorScheme scheme) throws Exception {
    try (BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions().setViewportSize(width, 800).setColorScheme(scheme))) {
      context.setDefaultTimeout(SOON);
      Page page = context.newPage();
      for (String path : List.of("/workers", "/")) {
        forge(shop);
        open(page, shop, path);
        String what = path + " at " + width + ", " + scheme;
        PlaywrightAssertions.assertThat(page.locator("main")).containsText("acme.Bank");
        assertThat(page.title()).as(what).doesNotContain("owned");
        assertThat(
                page.evaluate(
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
            .as(what + " overflows by")
            .isEqualTo(0);
        page.screenshot(
            new Page.ScreenshotOptions()
                .setFullPage(true)
                .setPath(
                    Path.of(
                        "target",
                        "shots",
                        (path.equals("/") ? "overview" : "workers")
                            + "-"
                            + width
                            + "-"
                            + scheme
                            + ".png")));
        assertThat(serious(page)).as(what).isEmpty();
      }
    }
  }

  /** Reports of workers that are held up, written by somebody who may. */
  private static void forge(Shop shop) throws Exception {
    Instant now = Instant.now();
    for (int i = 1; i <= 2; i++) {
      WorkerReport report =
          new WorkerReport(
              new WorkerReport.Who(
                  i == 1 ? "17@host-1.example.org" : SCRIPT,
                  "x" + i,
                  "0.1.0",
                  Optional.of("4.2." + i),
                  "PAYMENTS",
                  "ledger",
                  now.minusSeconds(7_200)),
              now,
              new WorkerCounts(9_000, 8_000, 20, 900, 12, 0, 0, 0),
              new WorkerReport.Rates(1_234.5, 12.25, 0.4, 0.02),
              new WorkerReport.Load(2_048, i == 1 ? 1_900 : 0, Optional.of(now.minusSeconds(45))),
              false,
              i == 1
                  ? Optional.of(
                      new WorkerReport.OpenBreaker(
                          now.minusSeconds(95),
                          "3f9ac01d22b7",
                          "acme.BankBusyException: the bank at # is down"))
                  : Optional.empty(),
              i == 1
                  ? List.of(new WorkerReport.Hold("the ledger", now.minusSeconds(30)))
                  : List.of(),
              List.of(
                  new WorkerReport.Retrying(
                      "3f9ac01d22b7", "acme.BankBusyException: the bank at # is down", 420, 7),
                  new WorkerReport.Retrying("22afbf3b623e", SCRIPT, 3, 98)),
              0);
      shop.premises
          .connection
          .jetStream()
          .publish("$KV.CONTRAIL_WORKERS.PAYMENTS.ledger.x" + i, report.encode());
    }
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  private static void open(Page page, Shop shop, String path) {
    page.navigate(
        shop.at(path).toString(),
        new Page.NavigateOptions().setWaitUntil(WaitUntilState.DOMCONTENTLOADED).setTimeout(SOON));
  }

  /** What axe calls serious or worse. */
  private static String serious(Page page) throws Exception {
    try (InputStream in = WorkersBrowserTest.class.getClassLoader().getResourceAsStream(AXE)) {
      page.evaluate(new String(Objects.requireNonNull(in).readAllBytes(), UTF_8));
    }
    return String.valueOf(
        page.evaluate(
            """
            async () => (await axe.run({ resultTypes: ['violations'] })).violations
              .filter(it => it.impact === 'serious' || it.impact === 'critical')
              .map(it => it.id + ': ' + it.nodes.map(n => n.html).slice(0, 3).join(' | '))
              .join('\\n')
            """));
  }
}
