package dev.contrail.bench;

import dev.contrail.bench.report.ConsoleReport;
import dev.contrail.bench.report.Spread;
import dev.contrail.console.Service;
import dev.contrail.console.ServiceOptions;
import dev.contrail.console.desk.Account;
import dev.contrail.console.http.CannotListenException;
import dev.contrail.console.http.HttpServer;
import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Measures what the console costs, on a server of its own: pages over many dead letters, and what a
 * worker loses beside many open pages.
 */
public final class ConsoleBench {
  private static final int TIMES = 21;
  private static final int ROUNDS = 5;
  private static final int MESSAGE_BYTES = 256;
  private static final long CHANGE_EVERY_MILLIS = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final List<String> FIRST_PAGES = List.of("/", "/groups", "/dead-letters");
  private static final List<IntFunction<String>> FILTERS =
      List.of(
          i -> "/dead-letters?text=customer%20" + (i * 37 % 1_000),
          i -> "/dead-letters?exception=IllegalStateException&sort=size&app-version=1." + i % 3,
          i -> "/groups?subject=contrail_bench_orders.*&state=open&limit=" + (i + 1));

  private final BenchServer server;
  private final int deadLetters;
  private final int pages;
  private final int messages;
  private final Consumer<String> begins;
  private final HttpClient client = HttpClient.newHttpClient();

  /**
   * The bench.
   *
   * @param pages how many are open
   * @param messages of the worker beside them, in each round
   * @param begins hears what is measured next
   */
  public ConsoleBench(
      BenchServer server, int deadLetters, int pages, int messages, Consumer<String> begins) {
    this.server = server;
    this.deadLetters = deadLetters;
    this.pages = pages;
    this.messages = messages;
    this.begins = begins;
  }

  /**
   * Measures.
   *
   * @throws BenchException when it cannot go on
   */
  public ConsoleReport run() throws InterruptedException {
    begins.accept("storing dead letters");
    try (Connection connection = server.connections().get();
        Connection own = server.connections().get()) {
      Burial burial = new Burial(connection, server.jetStream());
      burial.store(1, deadLetters + 1);
      long before = UsedHeap.bytes();
      Service service =
          new Service(
              new Account(own, server.jetStream(), Burial.NAMES, server.shown()),
              ServiceOptions.DEFAULT,
              "bench");
      try (HttpServer http =
          HttpServer.start(
              new HttpServer.Listening(InetAddress.getLoopbackAddress(), 0), service)) {
        service.begin();
        awaitReady(service);
        return measured(http.address(), burial, connection, before);
      } finally {
        service.end(Duration.ofSeconds(10));
      }
    } catch (IOException | JetStreamApiException | CannotListenException e) {
      throw new BenchException("the console cannot be measured: " + e.getMessage(), e);
    }
  }

  private static void awaitReady(Service service) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!service.readiness().isReady()) {
      if (System.nanoTime() > end) {
        throw new BenchException("the console did not become ready: " + service.readiness());
      }
      Thread.sleep(20);
    }
  }

  private ConsoleReport measured(URI address, Burial burial, Connection connection, long before)
      throws IOException, InterruptedException {
    begins.accept("asking for pages");
    double cold = millis(address, "/");
    double page = 0;
    for (String path : FIRST_PAGES) {
      page = Math.max(page, median(address, i -> path));
    }
    double filter = 0;
    for (IntFunction<String> path : FILTERS) {
      filter = Math.max(filter, median(address, path));
    }
    double megabytes = (UsedHeap.bytes() - before) / 1e6;
    begins.accept("a worker beside open pages");
    Beside beside = new Beside(address, burial, connection);
    beside.run();
    return new ConsoleReport(
            deadLetters,
            cold,
            page,
            filter,
            megabytes,
            pages,
            beside.asked,
            Spread.of(beside.alone),
            Spread.of(beside.with),
            Spread.ofRatios(beside.with, beside.alone),
            List.of())
        .withAims();
  }

  private double median(URI address, IntFunction<String> path)
      throws IOException, InterruptedException {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < TIMES; i++) {
      times.add(millis(address, path.apply(i)));
    }
    return Spread.of(times).median();
  }

  private double millis(URI address, String path) throws IOException, InterruptedException {
    long began = System.nanoTime();
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(address.resolve(path)).header("Accept", "text/html").build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new BenchException(path + " was answered with " + answer.statusCode());
    }
    return (System.nanoTime() - began) / 1e6;
  }

  /** Rounds of a worker, in turn without open pages and beside them, while messages die. */
  private final class Beside {
    private final URI address;
    private final Burial burial;
    private final BenchStreams streams;
    private final Names names = new Names("contrail_bench_worker");
    private final List<Double> alone = new ArrayList<>();
    private final List<Double> with = new ArrayList<>();
    private long asked;

    private Beside(URI address, Burial burial, Connection connection) {
      this.address = address;
      this.burial = burial;
      this.streams = new BenchStreams(server, connection, names);
    }

    private void run() throws InterruptedException {
      AtomicInteger next = new AtomicInteger(deadLetters + 1);
      ScheduledExecutorService deaths = Executors.newSingleThreadScheduledExecutor();
      var unused =
          deaths.scheduleAtFixedRate(
              () -> store(next.getAndIncrement()), 0, CHANGE_EVERY_MILLIS, TimeUnit.MILLISECONDS);
      try {
        round();
        for (int i = 0; i < ROUNDS; i++) {
          if (i % 2 == 0) {
            alone.add(round());
          }
          beside();
          if (i % 2 == 1) {
            alone.add(round());
          }
        }
      } finally {
        deaths.shutdownNow();
      }
    }

    private void beside() throws InterruptedException {
      try (OpenPages open = new OpenPages(address, pages)) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (open.asked() < pages) {
          if (System.nanoTime() > end) {
            throw new BenchException("open pages were not told of any change");
          }
          Thread.sleep(50);
        }
        long before = open.asked();
        with.add(round());
        asked += open.asked() - before;
        if (open.failed() > 0) {
          throw new BenchException(open.failed() + " requests of open pages were not answered");
        }
      }
    }

    private void store(int number) {
      try {
        burial.store(number, number + 1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private double round() throws InterruptedException {
      Place place = streams.consumer(streams.filled(MESSAGE_BYTES, messages));
      Work work = Work.counting(messages, 0);
      ContrailRacer racer = new ContrailRacer(server, names, consumer -> consumer, forgotten -> {});
      try (Connection connection = racer.connect()) {
        Racer.Running running = racer.start(connection, place, work);
        try {
          work.await(PATIENCE);
          return work.perSecond(System.nanoTime());
        } finally {
          running.close();
          streams.delete(place);
        }
      }
    }
  }
}
