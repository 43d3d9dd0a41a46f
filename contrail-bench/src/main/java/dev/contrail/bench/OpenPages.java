package dev.contrail.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Pages of the console that are open, and ask for what they show when something changed. */
final class OpenPages implements AutoCloseable {
  // As the script of the pages does.
  private static final long WAIT_MILLIS = 300;
  private static final List<String> PATHS =
      List.of("/", "/groups", "/dead-letters", "/dead-letters?state=open&reason=rejected");

  private final URI address;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
  private final List<CompletableFuture<HttpResponse<Stream<String>>>> open = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  OpenPages(URI address, int pages) {
    this.address = address;
    for (int i = 0; i < pages; i++) {
      String path = PATHS.get(i % PATHS.size());
      CompletableFuture<HttpResponse<Stream<String>>> page =
          client.sendAsync(request("/live", "text/event-stream"), BodyHandlers.ofLines());
      open.add(page);
      Thread reader = new Thread(() -> read(page, path), "page-" + i);
      reader.setDaemon(true);
      reader.start();
      readers.add(reader);
    }
  }

  private HttpRequest request(String path, String type) {
    return HttpRequest.newBuilder(address.resolve(path)).header("Accept", type).build();
  }

  private void read(CompletableFuture<HttpResponse<Stream<String>>> page, String path) {
    AtomicBoolean waiting = new AtomicBoolean();
    try (Stream<String> lines = page.join().body()) {
      lines
          .filter(line -> line.equals("event: change") && waiting.compareAndSet(false, true))
          .forEach(
              line -> {
                var unused =
                    later.schedule(() -> ask(path, waiting), WAIT_MILLIS, TimeUnit.MILLISECONDS);
              });
    } catch (RuntimeException e) {
      // Closed, or else nobody asks any more, which is noticed.
      return;
    }
  }

  private void ask(String path, AtomicBoolean waiting) {
    var unused =
        client
            .sendAsync(request(path, "text/html"), BodyHandlers.ofString())
            .whenComplete(
                (answer, failure) -> {
                  waiting.set(false);
                  asked.incrementAndGet();
                  if (failure != null || answer.statusCode() != 200) {
                    failed.incrementAndGet();
                  }
                });
  }

  /** How often they asked so far. */
  long asked() {
    return asked.get();
  }

  /** How often they were not answered. */
  long failed() {
    return failed.get();
  }

  @Override
  public void close() {
    later.shutdownNow();
    for (CompletableFuture<HttpResponse<Stream<String>>> page : open) {
      var unused = page.thenAccept(answer -> answer.body().close());
    }
    open.forEach(page -> page.cancel(true));
    readers.forEach(Thread::interrupt);
  }
}
