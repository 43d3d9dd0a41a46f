package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.ledger.LedgerFactory;
import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams that hand out sequences again that a ledger has as completed. */
@Tag("slow")
@OnEveryServer
class ReusedSequencesTest {
  private static final int MESSAGES = 20;

  private final NatsServerBinary binary;
  private final Set<String> done = ConcurrentHashMap.newKeySet();
  private final Set<ConsumerNotice.Kind> told = ConcurrentHashMap.newKeySet();
  @TempDir Path folder;

  ReusedSequencesTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void a_stream_that_is_deleted_and_made_again_begins_with_an_empty_ledger() throws Exception {
    try (Workplace workplace = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits)) {
      publish(workplace, "old");
      try (ContrailConsumer consumer = consumer(workplace).start()) {
        awaitDone("old");
      }
      workplace.management.deleteStream(workplace.stream);
      workplace.management.addStream(workplace.plainStream(RetentionPolicy.Limits).build());
      publish(workplace, "new");
      try (ContrailConsumer consumer = consumer(workplace).start()) {
        awaitDone("new");
        assertThat(consumer.status().counts().deduplicated()).isZero();
      }
    }
  }

  @Test
  void so_it_does_under_a_worker() throws Exception {
    try (Workplace workplace = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits);
        ContrailConsumer consumer = consumer(workplace).start()) {
      publish(workplace, "old");
      awaitDone("old");
      workplace.management.deleteStream(workplace.stream);
      workplace.management.addStream(workplace.plainStream(RetentionPolicy.Limits).build());
      publish(workplace, "new");
      awaitDone("new");
    }
  }

  @Test
  void so_it_does_when_the_ledger_of_the_new_stream_cannot_be_opened_at_once() throws Exception {
    AtomicInteger opened = new AtomicInteger();
    try (Workplace workplace = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits)) {
      workplace.provision();
      LedgerFactory ledgers = workplace.jetStreamLedgers(workplace.connection);
      LedgerFactory failingOnce =
          scope -> {
            if (opened.getAndIncrement() == 1) {
              throw new IllegalStateException("not now");
            }
            return ledgers.open(scope);
          };
      try (ContrailConsumer consumer = consumer(workplace).ledger(failingOnce).start()) {
        publish(workplace, "old");
        awaitDone("old");
        workplace.management.deleteStream(workplace.stream);
        workplace.management.addStream(workplace.plainStream(RetentionPolicy.Limits).build());
        publish(workplace, "new");
        awaitDone("new");
      }
    }
    assertThat(opened).as("times that a ledger was opened").hasValueGreaterThanOrEqualTo(3);
  }

  @Test
  void what_a_stream_stores_after_it_was_restored_from_a_backup_is_run_and_an_alert_tells()
      throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start();
        Workplace workplace = Workplace.on(server, RetentionPolicy.Limits)) {
      publish(workplace, "before");
      try (ContrailConsumer consumer = consumer(workplace).start()) {
        awaitDone("before");
      }
      Path files = streamFiles(server, workplace.stream);
      server.stop();
      copy(files, folder.resolve("backup"));
      server.startAgain();
      publishWhenBack(workplace, "lost");
      try (ContrailConsumer consumer = consumer(workplace).start()) {
        awaitDone("lost");
      }
      server.stop();
      delete(files);
      copy(folder.resolve("backup"), files);
      server.startAgain();
      publishWhenBack(workplace, "after");
      try (ContrailConsumer consumer = consumer(workplace).start()) {
        awaitDone("after");
        await()
            .atMost(Workplace.SOON)
            .until(() -> told.contains(ConsumerNotice.Kind.SEQUENCES_REUSED));
      }
      // What was completed in the second life of the sequences stays so.
      done.clear();
      workplace.management.deleteConsumer(workplace.stream, "worker");
      try (ContrailConsumer consumer = consumer(workplace).start()) {
        await()
            .atMost(Workplace.SOON)
            .until(() -> consumer.status().counts().deduplicated() == 2 * MESSAGES);
        assertThat(done).as("run again").isEmpty();
      }
    }
  }

  @Test
  void what_a_memory_stream_stores_after_it_lost_its_memory_is_run_and_an_alert_tells()
      throws Exception {
    try (NatsCluster cluster = NatsCluster.builder().binary(binary).start();
        Workplace workplace = Workplace.at(cluster.node(1), "MEMORY", "memory")) {
      workplace.management.addStream(
          workplace
              .plainStream(RetentionPolicy.Limits)
              .storageType(StorageType.Memory)
              .replicas(1)
              .build());
      String home =
          workplace.management.getStreamInfo(workplace.stream).getClusterInfo().getLeader();
      publish(workplace, "old");
      try (ContrailConsumer consumer = consumer(workplace).start()) {
        awaitDone("old");
      }
      cluster.node(home).kill();
      cluster.node(home).startAgain();
      cluster.awaitReady();
      publishWhenBack(workplace, "new");
      try (ContrailConsumer consumer = startWhenBack(workplace)) {
        awaitDone("new");
        await()
            .atMost(Workplace.SOON)
            .until(() -> told.contains(ConsumerNotice.Kind.SEQUENCES_REUSED));
      }
    }
  }

  private ConsumerBuilder<byte[]> consumer(Workplace workplace) {
    return workplace
        .consumer()
        .onNotice(notice -> told.add(notice.kind()))
        .handler(delivery -> done.add(new String(delivery.data(), StandardCharsets.UTF_8)));
  }

  /** The streams of a cluster may still choose their leaders. */
  private ContrailConsumer startWhenBack(Workplace workplace) {
    return await()
        .atMost(Workplace.SOON)
        .ignoreExceptionsInstanceOf(ContrailException.class)
        .until(() -> consumer(workplace).start(), consumer -> true);
  }

  private static void publish(Workplace workplace, String name) throws Exception {
    for (String payload : payloads(name)) {
      workplace.publish(payload);
    }
  }

  private static void publishWhenBack(Workplace workplace, String name) throws Exception {
    await()
        .atMost(Workplace.SOON)
        .until(() -> workplace.connection.getStatus() == Connection.Status.CONNECTED);
    await()
        .atMost(Workplace.SOON)
        .ignoreExceptions()
        .until(() -> workplace.management.getStreamInfo(workplace.stream) != null);
    publish(workplace, name);
  }

  private void awaitDone(String name) {
    await().atMost(Workplace.SOON).until(() -> done.containsAll(payloads(name)));
  }

  private static List<String> payloads(String name) {
    return IntStream.range(0, MESSAGES).mapToObj(number -> name + " " + number).toList();
  }

  private static Path streamFiles(NatsServer server, String stream) throws IOException {
    try (Stream<Path> files = Files.walk(server.storeFolder())) {
      return files
          .filter(file -> file.endsWith(Path.of("streams", stream)))
          .findFirst()
          .orElseThrow();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
