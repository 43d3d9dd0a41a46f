package dev.contrail.operations.cluster;

import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.cluster.Fault.Kind;
import dev.contrail.server.NatsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Servers that are struck by one fault after another while tasks are published, worked on by worker
 * processes of which some are killed, guarded, and replayed when they died.
 */
final class ClusterRun implements AutoCloseable {
  private static final int WORKERS = 3;
  private static final int GUARDS = 2;

  /** In completions: what is done between two faults at least, and while one lasts. */
  private static final int STRIDE = 400;

  private static final Duration LIMIT = Duration.ofMinutes(4);

  final Site site;
  final Accounts accounts = new Accounts();
  final Load load;
  final ForeignWorker foreign;
  final Repairs repairs;
  private final Path folder;
  private final JournalTail tail;
  private final Random random;
  private final List<ClusterProcess> workers = new ArrayList<>();
  private final List<ClusterProcess> guards = new ArrayList<>();
  private final List<String> order = new ArrayList<>();
  private final List<String> gaps = new ArrayList<>();
  private final List<String> deserters = new ArrayList<>();
  private int audits;
  private int started;

  ClusterRun(Site site, Path folder, long seed) throws IOException {
    this.site = site;
    this.folder = folder;
    this.tail = new JournalTail(folder);
    this.random = new Random(seed);
    this.foreign = new ForeignWorker(site.urls());
    this.repairs = new Repairs(site.urls());
    for (int i = 0; i < WORKERS; i++) {
      startWorker();
    }
    for (int i = 0; i < GUARDS; i++) {
      startGuard();
    }
    this.load = new Load(site.urls());
  }

  private void startWorker() throws IOException {
    String name = "worker-" + started;
    workers.add(
        new ClusterProcess(
            name,
            folder,
            ClusterWorkerMain.class,
            site.urlsFrom(started),
            folder.resolve(name + ".journal").toString()));
    started++;
  }

  private void startGuard() throws IOException {
    String name = "guard-" + started;
    guards.add(
        new ClusterProcess(name, folder, ClusterGuardMain.class, site.urlsFrom(started), name));
    started++;
  }

  /** What was done to whom, in its order. */
  List<String> order() {
    return order;
  }

  void strikeAll(List<Fault> faults) throws Exception {
    for (Fault fault : faults) {
      strike(fault);
    }
    site.awaitReady();
  }

  private void strike(Fault fault) throws Exception {
    // One at a time: without a majority a cluster promises nothing.
    site.awaitReady();
    awaitProgress(STRIDE / 4 + random.nextInt(STRIDE));
    NatsServer victim = victim(fault.target());
    String what = fault + ": " + victim.name();
    order.add(what);
    System.out.printf("%d. %s, after %d completions%n", order.size(), what, accounts.completions());
    if (fault.kind() == Kind.KILL) {
      victim.kill();
    } else {
      victim.freeze();
    }
    if (fault.worker()) {
      replaceWorker();
    }
    if (fault.guard()) {
      guards.remove(random.nextInt(guards.size())).kill();
      startGuard();
    }
    if (fault.lasting()) {
      awaitProgress(STRIDE);
    }
    if (fault.kind() == Kind.KILL) {
      victim.startAgain();
    } else {
      victim.thaw();
    }
    audit();
  }

  /** In the midst of it: an audit may find no answer, but must not find gaps that are none. */
  private void audit() throws InterruptedException {
    for (String stream : Site.WORKED) {
      try {
        site.audit(stream)
            .consumers()
            .forEach(
                it ->
                    it.gaps()
                        .forEach(
                            gap ->
                                gaps.add(
                                    "an audit of %s after fault %d told of %s"
                                        .formatted(stream, order.size(), gap))));
        audits++;
      } catch (ContrailException e) {
        System.out.println("no audit of " + stream + ": " + e.getMessage());
      }
    }
  }

  /** What audits under way called unaccounted; nothing is, in the end. */
  List<String> falseGaps() {
    return gaps;
  }

  /** Who ended without being told to. */
  List<String> deserters() {
    return deserters;
  }

  int audits() {
    return audits;
  }

  private void replaceWorker() throws Exception {
    workers.remove(random.nextInt(workers.size())).kill();
    startWorker();
  }

  private NatsServer victim(Fault.Target target) {
    return switch (target.role()) {
      case STREAM_LEADER ->
          leader(() -> site.management.getStreamInfo(target.stream()).getClusterInfo().getLeader());
      case CONSUMER_LEADER ->
          leader(
              () ->
                  site.management
                      .getConsumerInfo(target.stream(), Site.CONSUMER)
                      .getClusterInfo()
                      .getLeader());
      case META_LEADER -> leader(() -> site.metaLeader().map(NatsServer::name).orElse(null));
      case ANY -> site.nodes().get(random.nextInt(site.nodes().size()));
    };
  }

  private NatsServer leader(java.util.concurrent.Callable<String> question) {
    return site.node(
        await()
            .atMost(LIMIT)
            .ignoreExceptions()
            .until(() -> Optional.ofNullable(question.call()), Optional::isPresent)
            .orElseThrow());
  }

  private void awaitProgress(int completions) throws IOException {
    read();
    long goal = accounts.completions() + completions;
    await()
        .alias("completions after " + order)
        .atMost(LIMIT)
        .until(
            () -> {
              read();
              return accounts.completions() >= goal;
            });
  }

  /** Takes in what the workers wrote since. */
  void read() throws IOException {
    tail.into(accounts);
  }

  /** Ends in order who is left; none may have ended by itself. */
  void end() throws Exception {
    Stream.concat(workers.stream(), guards.stream())
        .filter(ClusterProcess::isOver)
        .forEach(process -> deserters.add(process.name + " ended by itself"));
    repairs.close();
    foreign.close();
    for (ClusterProcess process : guards) {
      process.end();
    }
    for (ClusterProcess process : workers) {
      process.end();
    }
    read();
  }

  /** Keeps what servers said beside what workers and guards did. */
  void keepLogs() throws IOException {
    site.keepLogs(folder);
    Files.write(folder.resolve("faults.txt"), order);
    Files.write(folder.resolve("repairs.txt"), repairs.diary());
  }

  @Override
  public void close() {
    load.close();
    workers.forEach(ClusterProcess::close);
    guards.forEach(ClusterProcess::close);
    repairs.close();
    foreign.close();
  }
}
