package dev.contrail.operations.cluster;

import dev.contrail.server.NatsServerBinary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/** A {@link ClusterRun} from its start to what is wrong in the end. */
final class Ordeal {
  private static final int MOST_SHOWN = 20;

  private Ordeal() {}

  /** What is wrong after so many faults of three servers. */
  static List<String> ofCluster(NatsServerBinary binary, int faults) throws Exception {
    long seed = seed();
    try (Site site = Site.ofThree(binary)) {
      return run("cluster", site, binary, Fault.ofCluster(faults, seed), seed);
    }
  }

  /** What is wrong after so many faults of a server. */
  static List<String> ofServer(NatsServerBinary binary, int faults) throws Exception {
    long seed = seed();
    try (Site site = Site.ofOne(binary)) {
      return run("server", site, binary, Fault.ofServer(faults), seed);
    }
  }

  private static long seed() {
    return Optional.ofNullable(Long.getLong("contrail.seed"))
        .orElseGet(() -> (long) new Random().nextInt(1_000_000));
  }

  private static List<String> run(
      String what, Site site, NatsServerBinary binary, List<Fault> faults, long seed)
      throws Exception {
    String name = what + "-" + binary.version() + "-" + seed;
    Path folder = Files.createDirectories(Path.of("target", "faults", name));
    System.out.printf("%s: %d faults, seed %d, kept in %s%n", name, faults.size(), seed, folder);
    ClusterRun run = new ClusterRun(site, clean(folder), seed);
    try (run) {
      List<String> problems = new ArrayList<>();
      try {
        run.strikeAll(faults);
        Settlement settlement = new Settlement(run);
        problems.addAll(settlement.problems());
        System.out.printf("%s: %d deleted by servers%n", name, settlement.deletedByServers());
      } finally {
        run.keepLogs();
      }
      report(name, run, seed, problems);
      return problems.stream().limit(MOST_SHOWN).toList();
    }
  }

  private static Path clean(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    return folder;
  }

  private static void report(String name, ClusterRun run, long seed, List<String> problems)
      throws IOException {
    Accounts.Figures figures = run.accounts.figures();
    Map<String, Long> published =
        run.load.stored().values().stream()
            .collect(Collectors.groupingBy(Accounts.Place::stream, Collectors.counting()));
    System.out.printf(
        "%s: %d faults, published %s (failed and repeated: %s; possibly stored twice: %d), %d"
            + " messages run, %d came again completed (%d as if for the first time), %d run once"
            + " more (%d before the record), %d plans of replays, %d audits under way, %d"
            + " problems%n",
        name,
        run.order().size(),
        published,
        run.load.failures(),
        run.load.possiblyTwice().size(),
        figures.messages(),
        figures.cameAgain(),
        figures.asFirst(),
        figures.runsMore(),
        figures.beforeRecord(),
        run.repairs.finished(),
        run.audits(),
        problems.size());
    if (!problems.isEmpty()) {
      System.out.println("With -Dcontrail.seed=" + seed + " the same faults come again:");
      run.order().forEach(fault -> System.out.println("  " + fault));
      problems.stream().limit(MOST_SHOWN).forEach(problem -> System.out.println("! " + problem));
    }
  }
}
