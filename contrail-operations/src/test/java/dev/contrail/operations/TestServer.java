package dev.contrail.operations;

import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import dev.contrail.server.NatsServerBuilder;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A server of a test's own, with the streams of Contrail that it names. */
public final class TestServer implements AutoCloseable {
  public static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();
  public static final Names NAMES = new Names("contrail");

  private static final Duration SOON = Duration.ofSeconds(60);

  /**
   * What a test itself asks is answered late on a machine that is busy, and answered all the same.
   */
  private static final JetStreamOptions PATIENT =
      JetStreamOptions.builder().requestTimeout(SOON).build();

  public final NatsServer server;
  public final Connection connection;
  public final JetStreamManagement management;
  public final JetStream jetStream;

  private TestServer(NatsServer server) throws IOException {
    this.server = server;
    this.connection = Contrail.connect(server.url());
    this.management = connection.jetStreamManagement(PATIENT);
    this.jetStream = connection.jetStream(PATIENT);
  }

  /** The oldest and the newest server there is. */
  public static List<NatsServerBinary> binaries() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  public static TestServer start(NatsServerBinary binary, Store... stores) throws IOException {
    return start(binary, "", stores);
  }

  /** The same with more lines in its configuration. */
  public static TestServer start(NatsServerBinary binary, String config, Store... stores)
      throws IOException {
    return start(NatsServer.builder().binary(binary).config(config), stores);
  }

  /** The same on a server that is started so. */
  public static TestServer start(NatsServerBuilder how, Store... stores) throws IOException {
    TestServer started = new TestServer(how.start());
    new Provisioning(started.connection, OPTIONS, InitPlan.of(NAMES), Provision.CREATE)
        .ensure(List.of(stores));
    return started;
  }

  public void addStream(String name, RetentionPolicy retention) throws Exception {
    management.addStream(
        StreamConfiguration.builder()
            .name(name)
            .subjects(name + ".>")
            .retentionPolicy(retention)
            .build());
  }

  /** Ends the server in order and starts it again. */
  public void restart() {
    server.restart();
    awaitServer(management);
  }

  /** With SIGKILL, before it has written down how far a consumer is: it does so a while later. */
  public void crash(String stream, String consumer) throws IOException {
    server.kill();
    Path written = Path.of("streams", stream, "obs", consumer, "o.dat");
    try (Stream<Path> files = Files.walk(server.storeFolder())) {
      for (Path file : files.filter(it -> it.endsWith(written)).toList()) {
        Files.delete(file);
      }
    }
    server.startAgain();
    awaitServer(management);
  }

  /** The files of a stream as they were. */
  public interface Backup {
    /** Puts them where they were; the server is ended for it and started again. */
    void restore() throws IOException;
  }

  /** Copies the files of a stream; the server is ended for it and started again. */
  public Backup backUp(String stream, Path folder) throws IOException {
    server.stop();
    Path files;
    try (Stream<Path> all = Files.walk(server.storeFolder())) {
      files = all.filter(it -> it.endsWith(Path.of("streams", stream))).findFirst().orElseThrow();
    }
    Path copy = folder.resolve(stream);
    copy(files, copy);
    server.startAgain();
    awaitServer(management);
    return () -> {
      server.stop();
      delete(files);
      copy(copy, files);
      server.startAgain();
      awaitServer(management);
    };
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Waits until the server answers to that connection again. */
  public static void awaitServer(JetStreamManagement management) {
    await()
        .atMost(SOON)
        .until(
            () -> {
              try {
                management.getAccountStatistics();
                return true;
              } catch (IOException | IllegalStateException | JetStreamApiException notYet) {
                return false;
              }
            });
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } finally {
      server.close();
    }
  }
}
