package dev.contrail.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CompletionsTest {
  private static final long T = 1_800_000_000_000L;

  private final Completions completions = new Completions();

  private void complete(long sequence, long millis) {
    Draft draft = new Draft();
    draft.add(sequence, millis);
    completions.block(BlockKey.of(sequence)).apply(1, draft.records().get(0), T);
  }

  @Test
  void a_message_is_looked_for_in_its_own_block() {
    complete(5, T);
    complete(65_536 + 6, T);
    assertThat(completions.contain(new Message(5, T))).isTrue();
    assertThat(completions.contain(new Message(65_536 + 5, T))).isFalse();
    assertThat(completions.contain(new Message(65_536 + 6, T))).isTrue();
    assertThat(completions.contain(new Message(6, T))).isFalse();
    assertThat(completions.contain(new Message(2 * 65_536 + 6, T))).isFalse();
  }

  @Test
  void a_block_that_comes_after_it_was_looked_for_is_found() {
    assertThat(completions.contain(new Message(5, T))).isFalse();
    complete(5, T);
    assertThat(completions.contain(new Message(5, T))).isTrue();
  }

  @Test
  void what_is_put_away_is_not_in_memory_any_more() {
    complete(5, T);
    complete(65_536, T);
    assertThat(completions.contain(new Message(5, T))).isTrue();
    completions.putAway(completions.block(BlockKey.of(5)));
    assertThat(completions.contain(new Message(5, T))).isFalse();
    assertThat(completions.isAnyPutAway(List.of(new Message(5, T)))).isTrue();
    assertThat(completions.isAnyPutAway(List.of(new Message(65_536, T)))).isFalse();
    assertThat(completions.find(BlockKey.of(5))).isNull();
    assertThat(completions.blocks()).hasSize(1);

    assertThat(completions.contain(new Message(65_536, T))).isTrue();
    completions.clear();
    assertThat(completions.isAnyPutAway(List.of(new Message(5, T)))).isFalse();
    assertThat(completions.contain(new Message(65_536, T))).isFalse();
    assertThat(completions.blocks()).isEmpty();
  }

  @Test
  void only_a_block_that_is_known_can_be_contradicted() {
    complete(100, T);
    assertThat(completions.contradicting(new Message(50, T + 5_000))).isNotNull();
    assertThat(completions.contradicting(new Message(50, T))).isNull();
    assertThat(completions.contradicting(new Message(65_536, T + 5_000))).isNull();
  }
}
