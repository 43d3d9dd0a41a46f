package dev.contrail.operations;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.util.List;

/** A server of a test's own, with the streams of Contrail that it names. */
public final class TestServer implements AutoCloseable {
  public static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();
  public static final Names NAMES = new Names("contrail");

  public final NatsServer server;
  public final Connection connection;
  public final JetStreamManagement management;

  private TestServer(NatsServer server) throws IOException {
    this.server = server;
    this.connection = Contrail.connect(server.url());
    this.management = connection.jetStreamManagement();
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
    TestServer started = new TestServer(NatsServer.builder().binary(binary).config(config).start());
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
