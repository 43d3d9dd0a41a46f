package dev.contrail.console.web;

import dev.contrail.console.desk.Refusal;
import io.javalin.http.Context;
import io.javalin.http.sse.SseClient;
import io.javalin.http.sse.SseHandler;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells open pages that something changed, as server-sent events; they then ask for what they show.
 * One number is compared once a second, however many pages are open; where they are many, they are
 * told less often. A page that does not read is passed over until it does.
 */
public final class Live implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Live.class);
  private static final int MOST = 100;
  private static final int WRITERS = 4;
  // Below the time after which a silent connection is closed.
  private static final int BEAT_EVERY = 5;

  private static final class Page {
    private final SseClient client;
    private final AtomicBoolean busy = new AtomicBoolean();

    private Page(SseClient client) {
      this.client = client;
    }
  }

  private final Set<Page> pages = ConcurrentHashMap.newKeySet();
  private final LongSupplier changes;
  private final Runnable told;
  private final SseHandler handler = new SseHandler(0, this::open);
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(task -> thread(task, "contrail-live"));
  private final ThreadPoolExecutor writers =
      (ThreadPoolExecutor)
          Executors.newFixedThreadPool(WRITERS, task -> thread(task, "contrail-live-writer"));
  private final Pace pace = new Pace();
  private int tick;

  /**
   * For pages.
   *
   * @param changes a number that grows with every change
   * @param told done before pages are told of a change
   */
  public Live(LongSupplier changes, Runnable told) {
    this.changes = changes;
    this.told = told;
    var unused = ticker.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  private static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  public void add(Router router) {
    router.get("/live", Need.VIEWER, this::answer);
  }

  private void answer(Context context) throws Exception {
    if (pages.size() >= MOST) {
      throw new Refusal(Refusal.Kind.TOO_MANY, "Too many pages are open.");
    }
    handler.handle(context);
  }

  private void open(SseClient client) {
    Page page = new Page(client);
    client.keepAlive();
    client.onClose(() -> pages.remove(page));
    pages.add(page);
    client.sendEvent("hello", "live");
  }

  private void look() {
    try {
      lookOnce();
    } catch (RuntimeException e) {
      // It would not be done again.
      log.warn("Pages could not be told of a change: {}", e.toString());
    }
  }

  private void lookOnce() {
    boolean changed = pace.isTime(changes.getAsLong(), pages.size());
    tick = (tick + 1) % BEAT_EVERY;
    if (changed) {
      told.run();
    }
    if (changed || tick == 0) {
      pages.forEach(page -> tell(page, changed));
    }
  }

  private void tell(Page page, boolean changed) {
    if (page.client.terminated()) {
      pages.remove(page);
      return;
    }
    if (page.busy.compareAndSet(false, true)) {
      writers.execute(
          () -> {
            try {
              if (changed) {
                page.client.sendEvent("change", "now");
              } else {
                page.client.sendComment("beat");
              }
            } finally {
              page.busy.set(false);
            }
          });
    }
  }

  @Override
  public void close() {
    ticker.shutdownNow();
    writers.shutdownNow();
    pages.forEach(page -> page.client.close());
  }
}
