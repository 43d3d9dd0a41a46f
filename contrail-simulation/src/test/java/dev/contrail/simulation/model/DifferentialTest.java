package dev.contrail.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.server.NatsServerBinary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same random scripts on the model and on real servers, more than a thousand on each. {@code
 * -Dcontrail.scripts=N} runs more of them, {@code -Dcontrail.firstScript=SEED} others.
 */
@Tag("long")
class DifferentialTest {
  private static final int SCRIPTS = Integer.getInteger("contrail.scripts", 1_150);
  private static final long FIRST = Long.getLong("contrail.firstScript", 0);
  private static final int AT_ONCE = 800;
  private static final int ROUNDS = 4;

  private static final List<RealServer> servers = new ArrayList<>();
  private static final List<Comparison.Outcome> outcomes = new ArrayList<>();

  @BeforeAll
  static void run() throws Exception {
    for (NatsServerBinary binary : RealServer.binaries()) {
      servers.add(RealServer.start(binary));
    }
    List<CompletableFuture<List<Comparison.Outcome>>> runs =
        servers.stream().map(server -> CompletableFuture.supplyAsync(() -> runOn(server))).toList();
    for (CompletableFuture<List<Comparison.Outcome>> run : runs) {
      outcomes.addAll(run.get());
    }
  }

  /** What was late tells nothing and is run again: that is not a failure that is tried again. */
  private static List<Comparison.Outcome> runOn(RealServer server) {
    List<Comparison.Outcome> settled = new ArrayList<>();
    List<Script> scripts =
        LongStream.range(FIRST, FIRST + SCRIPTS).mapToObj(ScriptGenerator::script).toList();
    int late = 0;
    long start = System.nanoTime();
    for (int round = 0; round < ROUNDS && !scripts.isEmpty(); round++) {
      List<Comparison.Outcome> all = compare(server, scripts);
      settled.addAll(all.stream().filter(outcome -> !outcome.late()).toList());
      scripts =
          all.stream()
              .filter(Comparison.Outcome::late)
              .map(outcome -> ScriptGenerator.script(outcome.script().seed()))
              .toList();
      late += scripts.size();
    }
    System.out.printf(
        "%s: %d scripts with %d requests compared, %d runs were late, %d s%n",
        server,
        settled.size(),
        settled.stream().mapToInt(outcome -> outcome.model().size()).sum(),
        late,
        Duration.ofNanos(System.nanoTime() - start).toSeconds());
    return settled;
  }

  private static List<Comparison.Outcome> compare(RealServer server, List<Script> scripts) {
    try {
      return new Comparison(server, AT_ONCE).run(scripts);
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterAll
  static void close() {
    servers.forEach(RealServer::close);
  }

  @Test
  void the_model_answers_as_the_servers_do() throws Exception {
    for (Comparison.Outcome outcome : outcomes) {
      if (outcome.difference().isPresent()) {
        throw new AssertionError(
            outcome.server() + " and the model part.\n" + Shrinking.of(outcome).report());
      }
    }
  }

  @Test
  void few_scripts_stay_without_a_result() {
    assertThat(outcomes.size())
        .as("scripts that were in time, of %s on each server", SCRIPTS)
        .isGreaterThan(SCRIPTS * servers.size() * 95 / 100);
  }

  @Test
  void every_kind_of_request_is_compared_on_every_server() {
    for (RealServer server : servers) {
      Set<String> kinds = new TreeSet<>();
      of(server).forEach(o -> o.script().steps().forEach(step -> kinds.add(step.kind())));
      assertThat(kinds).as("%s", server).containsAll(Coverage.KINDS);
    }
  }

  @Test
  void every_refusal_that_the_model_knows_is_compared() {
    Set<String> answers = new TreeSet<>();
    outcomes.forEach(outcome -> answers.addAll(outcome.real()));
    assertThat(answers)
        .containsAll(Arrays.stream(ApiError.values()).map(e -> "refused " + e.code()).toList());
  }

  @Test
  void what_matters_happens_often_enough_on_every_server() {
    for (RealServer server : servers) {
      Coverage coverage = new Coverage();
      of(server).forEach(outcome -> coverage.add(outcome.real()));
      assertThat(coverage.missing(SCRIPTS)).as("%s", server).isEmpty();
    }
  }

  private static List<Comparison.Outcome> of(RealServer server) {
    return outcomes.stream().filter(outcome -> outcome.server() == server).toList();
  }
}
