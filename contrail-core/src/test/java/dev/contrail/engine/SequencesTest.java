package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SequencesTest {
  /** Few sequences, near to each other or all a multiple of one number: they come to collide. */
  @Property(tries = 300)
  void it_holds_what_a_map_would_whatever_is_added_and_removed(
      @ForAll @LongRange(min = 1, max = 1L << 40) long step, @ForAll long seed) {
    Random random = new Random(seed);
    Sequences<String> sequences = new Sequences<>();
    Map<Long, InFlight<String>> expected = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      long sequence = step * (1 + random.nextInt(300));
      InFlight<String> held = expected.get(sequence);
      assertThat(sequences.find(sequence)).isSameAs(held);
      if (held == null) {
        InFlight<String> added = message(sequence);
        assertThat(sequences.remove(added)).isFalse();
        sequences.add(added);
        expected.put(sequence, added);
      } else {
        assertThat(sequences.remove(message(sequence))).as("another of that sequence").isFalse();
        assertThat(sequences.remove(held)).isTrue();
        expected.remove(sequence);
      }
      assertThat(sequences.size()).isEqualTo(expected.size());
    }
    assertThat(sequences.all()).containsExactlyInAnyOrderElementsOf(expected.values());
  }

  @Test
  void one_that_grows_keeps_what_it_holds() {
    Sequences<String> sequences = new Sequences<>();
    List<InFlight<String>> added = new ArrayList<>();
    for (long sequence = 1; sequence <= 10_000; sequence++) {
      InFlight<String> message = message(1_000 * sequence);
      sequences.add(message);
      added.add(message);
    }

    assertThat(sequences.all()).containsExactlyInAnyOrderElementsOf(added);
    assertThat(added).allMatch(each -> sequences.find(each.sequence()) == each);
    assertThat(sequences.find(1)).isNull();
  }

  private static InFlight<String> message(long sequence) {
    return new InFlight<>("message", sequence, 1, 0, 0);
  }
}
