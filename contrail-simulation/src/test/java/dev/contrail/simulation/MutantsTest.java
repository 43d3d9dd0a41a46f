package dev.contrail.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each wrong version is noticed, where the right one is not blamed; the document says by what. */
class MutantsTest {
  private static final long MOST = 20_000;
  private static final Path DOCUMENT = Path.of("..", "docs", "simulation.md");

  @ParameterizedTest
  @EnumSource(Mutant.class)
  void everyMutantIsCaught(Mutant mutant) throws Exception {
    Campaign campaign = new Campaign(0, MOST, Optional.of(mutant), false);

    Campaign.Report report = campaign.run(Runtime.getRuntime().availableProcessors(), done -> {});

    assertThat(report.failures()).as("caught within %s schedules", MOST).hasSize(1);
    SimulationResult caught = report.failures().get(0);
    assertThat(Simulation.run(caught.seed()).broken())
        .as("the unchanged code on seed %s", caught.seed())
        .isEmpty();
    assertThat(Files.readAllLines(DOCUMENT)).contains(line(mutant, caught));
  }

  private static String line(Mutant mutant, SimulationResult caught) {
    return "| `%s` | %s | `%s` | %,d |"
        .formatted(
            mutant.label(),
            mutant.meaning(),
            caught.broken().map(Invariant::label).orElseThrow(),
            caught.seed() + 1);
  }

  @Test
  void theDocumentListsEveryInvariant() throws IOException {
    List<String> lines = Files.readAllLines(DOCUMENT);
    for (Invariant invariant : Invariant.values()) {
      assertThat(lines).contains("| `%s` | %s |".formatted(invariant.label(), invariant.meaning()));
    }
  }
}
