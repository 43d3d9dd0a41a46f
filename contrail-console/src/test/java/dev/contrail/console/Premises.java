package dev.contrail.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.console.desk.Account;
import dev.contrail.console.http.HttpServer;
import dev.contrail.console.metrics.Exposition;
import dev.contrail.console.notice.NoticeSettings;
import dev.contrail.console.web.DoorSettings;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.doctor.DoctorOptions;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.redaction.Redaction;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A NATS server, a service on it with a connection of its own, and whoever asks it over HTTP. */
final class Premises implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration OFTEN = Duration.ofMillis(200);

  final NatsServer nats;
  final Connection connection;
  final JetStreamManagement management;
  final Connection own;
  final Service service;
  final HttpServer http;
  final Path reports = Files.createTempDirectory("contrail-reports");
  private final HttpClient client = HttpClient.newHttpClient();

  Premises(NatsServerBinary binary, GuardOptions.Release release) throws Exception {
    this(binary, release, NoticeSettings.LOG_ONLY);
  }

  Premises(NatsServerBinary binary, GuardOptions.Release release, NoticeSettings notices)
      throws Exception {
    nats = NatsServer.builder().binary(binary).start();
    connection = Contrail.connect(nats.url());
    management = connection.jetStreamManagement();
    own = Contrail.connect(nats.url());
    ServiceOptions options =
        ServiceOptions.DEFAULT
            .withGuard(GuardOptions.DEFAULT.withRelease(release).withSweepEvery(OFTEN))
            .withOrphans(ServiceOptions.DEFAULT.orphans(), OFTEN)
            .withDoctor(DoctorOptions.defaults().withOver(Duration.ZERO), Set.of(), OFTEN)
            .withConsole(new ConsoleOptions(Redaction.NONE, Optional.of(reports)))
            .withNotices(notices);
    service =
        new Service(
            new Account(own, JetStreamOptions.defaultOptions(), new Names("contrail"), nats.url()),
            options,
            "test");
    http =
        HttpServer.start(
            new HttpServer.Listening(InetAddress.getLoopbackAddress(), 0),
            service,
            service.tokens(),
            DoorSettings.local("tester"));
  }

  /** The oldest server and the newest there is. */
  static List<NatsServerBinary> servers() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  /** A queue with a consumer that is given each message once. */
  void addQueue(String stream) throws Exception {
    management.addStream(
        StreamConfiguration.builder()
            .name(stream)
            .subjects(stream + ".>")
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .build());
    management.addOrUpdateConsumer(
        stream,
        ConsumerConfiguration.builder()
            .durable("worker")
            .filterSubject(stream + ".new")
            .maxDeliver(1)
            .ackWait(Duration.ofSeconds(30))
            .build());
  }

  void addMemoryStream(String stream) throws Exception {
    management.addStream(
        StreamConfiguration.builder()
            .name(stream)
            .subjects(stream + ".>")
            .storageType(StorageType.Memory)
            .build());
  }

  /** Publishes a message that its consumer gives up on. */
  void exhaust(String stream) throws Exception {
    connection.jetStream().publish(stream + ".new", new byte[] {1});
    JetStreamSubscription pull =
        connection.jetStream().subscribe(null, PullSubscribeOptions.bind(stream, "worker"));
    List<Message> taken = pull.fetch(1, Duration.ofSeconds(10));
    taken.forEach(Message::nak);
    connection.flush(SOON);
    // Older servers say that they give up on a message when they are asked for the next.
    pull.fetch(1, Duration.ofMillis(100));
    pull.unsubscribe();
  }

  long stored(String stream) throws Exception {
    return management.getStreamInfo(stream).getStreamState().getMsgCount();
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(http.address().resolve(path)).timeout(SOON).build(),
        BodyHandlers.ofString());
  }

  Map<String, Double> metrics() throws IOException, InterruptedException {
    Map<String, Double> series = Exposition.parse(get("/metrics").body());
    series.keySet().removeIf(name -> !name.startsWith("contrail_"));
    return series;
  }

  void awaitMetric(String series, double value) {
    await().atMost(SOON).untilAsserted(() -> assertThat(metrics()).containsEntry(series, value));
  }

  void awaitReady() {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              HttpResponse<String> answer = get("/readyz");
              assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            });
  }

  @Override
  public void close() throws InterruptedException, IOException {
    service.end(Duration.ofSeconds(10));
    http.close();
    own.close();
    connection.close();
    nats.close();
    try (Stream<Path> files = Files.walk(reports)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
