package dev.contrail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.bench.report.LedgerSize;
import org.junit.jupiter.api.Test;

class LedgerGrowthTest {
  @Test
  void compaction_leaves_little_more_than_a_record_for_each_block() throws Exception {
    LedgerSize size = new LedgerGrowth().of(300_000);

    assertThat(size.completions()).isEqualTo(300_000);
    assertThat(size.streamRecords()).as("5 blocks, and a few barriers").isBetween(5L, 9L);
    assertThat(size.streamBytes())
        .as("less than a byte for eight completions, more than nothing")
        .isBetween(1_000L, 300_000L / 8);
  }
}
