package dev.contrail.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * More than a thousand on each server. {@code -Dcontrail.scripts=N} runs more of them, {@code
 * -Dcontrail.firstScript=SEED} others.
 */
@Tag("long")
class LongDifferentialTest extends Differences {
  LongDifferentialTest() {
    super(
        Long.getLong("contrail.firstScript", 0),
        Integer.getInteger("contrail.scripts", 1_150),
        800);
  }

  @Test
  void every_refusal_that_the_model_knows_is_compared() {
    Set<String> answers = new TreeSet<>();
    outcomes().forEach(outcome -> answers.addAll(outcome.real()));
    assertThat(answers)
        .containsAll(Arrays.stream(ApiError.values()).map(e -> "refused " + e.code()).toList());
  }

  @Test
  void what_matters_happens_often_enough_on_every_server() {
    for (RealServer server : servers()) {
      Coverage coverage = new Coverage();
      of(server).forEach(outcome -> coverage.add(outcome.real()));
      assertThat(coverage.missing(count())).as("%s", server).isEmpty();
    }
  }
}
