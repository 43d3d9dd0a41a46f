package dev.contrail.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** What earlier releases stored must stay readable: these files are never regenerated. */
class StoredRecordsTest {
  private static final int WRITER = 0x1234abcd;
  private static final long T = 1_700_000_000_000L;

  @Test
  void a_barrier_of_version_1_is_read() throws IOException {
    assertThat(read("v1-barrier.txt").record()).isEqualTo(new LedgerRecord.Barrier());
  }

  @Test
  void completions_of_version_1_are_read() throws IOException {
    LedgerRecord.Completions record =
        (LedgerRecord.Completions) read("v1-completions.txt").record();

    assertThat(record.lows()).isEqualTo(lows());
    assertThat(record.times().size()).isEqualTo(4);
    assertThat(record.times().low(1)).isEqualTo(2_000);
    assertThat(record.times().millis(1)).isEqualTo(T + 2_000);
    assertThat(record.times().low(3)).isEqualTo(65_535);
    assertThat(record.times().millis(3)).isEqualTo(T + 70_000);
  }

  @Test
  void a_snapshot_of_version_1_is_read() throws IOException {
    LedgerRecord.Snapshot record = (LedgerRecord.Snapshot) read("v1-snapshot.txt").record();

    assertThat(record.covers()).isEqualTo(123_456_789);
    assertThat(record.layers()).hasSize(2);
    assertThat(record.layers().get(0).completed()).isEqualTo(lows());
    assertThat(record.layers().get(0).contains(1_500, T + 1_500)).isTrue();
    assertThat(record.layers().get(1).completed()).isEqualTo(RoaringBitmap.bitmapOf(5, 7));
    assertThat(record.layers().get(1).contains(7, T + 90_000)).isTrue();
    assertThat(record.layers().get(1).contains(7, T)).isFalse();
  }

  @Test
  void a_forget_of_version_1_is_read() throws IOException {
    assertThat(read("v1-forget.txt").record()).isEqualTo(new LedgerRecord.Forget(1_000, 65_535));
  }

  private static RoaringBitmap lows() {
    RoaringBitmap lows = RoaringBitmap.bitmapOfRange(1_000, 2_001);
    lows.add(4_000);
    lows.add(65_535);
    return lows;
  }

  private static RecordFormat.Written read(String file) throws IOException {
    try (InputStream in = StoredRecordsTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      String hex = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
      RecordFormat.Written written = RecordFormat.read(HexFormat.of().parseHex(hex));
      assertThat(written.writer()).isEqualTo(WRITER);
      return written;
    }
  }
}
