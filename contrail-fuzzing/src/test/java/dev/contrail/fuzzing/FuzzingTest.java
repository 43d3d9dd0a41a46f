package dev.contrail.fuzzing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The harness notices what it is there for. */
class FuzzingTest {
  @Test
  void a_search_finds_a_planted_fault_and_says_where_its_input_is() {
    assertThatThrownBy(
            () -> new JazzerRun(PlantedTargets.class, "planted", Duration.ofSeconds(60)).run())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Jazzer found an input for planted")
        .hasMessageContaining("java.lang.IllegalStateException: planted");
    assertThat(Path.of("target", "fuzz", "planted", "found")).isNotEmptyDirectory();
  }

  @Test
  void a_search_in_vain_passes() {
    assertThatCode(
            () -> new JazzerRun(PlantedTargets.class, "harmless", Duration.ofSeconds(1)).run())
        .doesNotThrowAnyException();
  }

  @Test
  void much_memory_for_a_few_bytes_is_a_fault() {
    FuzzTarget greedy = data -> assertThat(new byte[100 << 20]).hasSizeGreaterThan(data.length);
    assertThatThrownBy(() -> new BoundedTarget(greedy).take(new byte[1]))
        .hasMessageMatching("1 bytes had it allocate \\d+");
    assertThatCode(() -> new BoundedTarget(data -> {}).take(new byte[1]))
        .doesNotThrowAnyException();
  }

  @Test
  void a_target_without_inputs_is_not_passed_over() {
    assertThatThrownBy(() -> Corpus.of("missing").inputs())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no input is kept in");
  }
}
