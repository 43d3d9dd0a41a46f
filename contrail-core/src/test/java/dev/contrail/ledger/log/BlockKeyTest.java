package dev.contrail.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockKeyTest {
  @Property
  void a_sequence_lies_in_its_block(@ForAll @LongRange(min = 0) long sequence) {
    BlockKey key = BlockKey.of(sequence);

    assertThat(sequence).isBetween(key.first(), key.last());
    assertThat(key.first() + BlockKey.low(sequence)).isEqualTo(sequence);
  }

  @Property
  void tokens_are_read_back(@ForAll @LongRange(min = 0) long number) {
    BlockKey key = new BlockKey(number);

    assertThat(BlockKey.parse(key.token())).contains(key);
    assertThat(BlockKey.parse(key.forgetToken())).contains(key);
    assertThat(key.forgetToken()).isNotEqualTo(key.token());
  }

  @Test
  void tokens_stay_what_they_are() {
    assertThat(BlockKey.of(65_536L * 17).token()).isEqualTo("17");
    assertThat(BlockKey.of(65_536L * 17).forgetToken()).isEqualTo("17-forget");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "barrier", "-1", "1-2", "x", "1.5", "-forget", "forget", "17-forget-1"})
  void what_is_no_token_of_a_block_is_none(String token) {
    assertThat(BlockKey.parse(token)).isEmpty();
  }
}
