package dev.contrail.operations.cluster;

import dev.contrail.Delivery;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.JournaledLedger;
import dev.contrail.operations.cluster.JournalLine.What;
import io.nats.client.Connection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A worker in a process of its own, for both streams that are worked on, to be killed. Its
 * arguments are the addresses of the servers and its journal. It ends in order when its standard
 * input does.
 */
final class ClusterWorkerMain {
  private static final Duration ACK_WAIT = Duration.ofSeconds(10);
  private static final String REPLAYS = "Contrail-Replay-Count";

  private final Journal journal;
  private final Set<String> returned = ConcurrentHashMap.newKeySet();

  private ClusterWorkerMain(Journal journal) {
    this.journal = journal;
  }

  public static void main(String[] arguments) throws Exception {
    ClusterWorkerMain main = new ClusterWorkerMain(new Journal(Path.of(arguments[1])));
    try (Connection connection =
        ClusterProcess.insist(
            () -> Contrail.connect(Contrail.options(arguments[0]).noRandomize().build()))) {
      List<ContrailConsumer> consumers = new ArrayList<>();
      for (String stream : Site.WORKED) {
        consumers.add(ClusterProcess.insist(() -> main.start(connection, stream)));
      }
      while (System.in.read() >= 0) {
        // Waits for the end of the input.
      }
      consumers.forEach(ContrailConsumer::close);
    }
  }

  private ContrailConsumer start(Connection connection, String stream) {
    return Contrail.consumer(connection, stream, Site.CONSUMER)
        .prefix(Site.NAMES.prefix())
        .ackWait(ACK_WAIT)
        .concurrency(8)
        .drainTimeout(Duration.ofSeconds(10))
        .ledger(JournaledLedger.of(connection, Site.NAMES, journal.of(stream)))
        .onNotice(notice -> System.out.println(notice.kind() + ": " + notice.text()))
        .handler(this::handle)
        .start();
  }

  private void handle(Delivery<byte[]> delivery) throws Exception {
    Task task = Task.of(delivery.data());
    int replays = delivery.headers().first(REPLAYS).map(Integer::parseInt).orElse(0);
    journal.write(What.RUN, delivery.stream(), delivery.sequence(), replays + " " + task);
    if (replays < task.kind().deaths()) {
      throw new RejectedMessageException("told to");
    }
    if (task.kind() == Task.Kind.RETRY && returned.add(delivery.idempotencyKey())) {
      throw new RetryAfterException(Duration.ofMillis(200));
    }
    Thread.sleep(task.kind() == Task.Kind.SLOW ? 2_000 : 5);
    journal.write(What.DONE, delivery.stream(), delivery.sequence(), "");
  }
}
