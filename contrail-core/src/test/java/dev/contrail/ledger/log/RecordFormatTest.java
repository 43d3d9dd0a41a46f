package dev.contrail.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Records are read back as they were written, and bytes that are none are refused as such. */
class RecordFormatTest {
  private static final long T = 1_800_000_000_000L;

  private static String text(PublishTimes times) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < times.size(); i++) {
      text.append(times.low(i)).append('@').append(times.millis(i)).append(' ');
    }
    return text.toString();
  }

  @Property
  void completions_are_read_back(
      @ForAll int writer, @ForAll("lows") RoaringBitmap lows, @ForAll("times") PublishTimes times) {
    RecordFormat.Written read =
        RecordFormat.read(
            RecordFormat.completions(writer, new LedgerRecord.Completions(lows, times)));

    assertThat(read.writer()).isEqualTo(writer);
    LedgerRecord.Completions completions = (LedgerRecord.Completions) read.record();
    assertThat(completions.lows()).isEqualTo(lows);
    assertThat(text(completions.times())).isEqualTo(text(times));
  }

  @Property
  void snapshots_are_read_back(
      @ForAll int writer,
      @ForAll @LongRange(min = 0) long covers,
      @ForAll @Size(max = 3) List<@From("layers") Layer> layers) {
    RecordFormat.Written read =
        RecordFormat.read(RecordFormat.snapshot(writer, new LedgerRecord.Snapshot(covers, layers)));

    assertThat(read.writer()).isEqualTo(writer);
    LedgerRecord.Snapshot snapshot = (LedgerRecord.Snapshot) read.record();
    assertThat(snapshot.covers()).isEqualTo(covers);
    assertThat(snapshot.layers()).hasSameSizeAs(layers);
    for (int i = 0; i < layers.size(); i++) {
      assertThat(snapshot.layers().get(i).completed()).isEqualTo(layers.get(i).completed());
      assertThat(text(snapshot.layers().get(i).times())).isEqualTo(text(layers.get(i).times()));
    }
  }

  @Property
  void forgets_are_read_back(
      @ForAll int writer,
      @ForAll @IntRange(max = BlockKey.LOW) int from,
      @ForAll @IntRange(max = BlockKey.LOW) int to) {
    assertThat(RecordFormat.read(RecordFormat.forget(writer, from, to)))
        .isEqualTo(new RecordFormat.Written(writer, new LedgerRecord.Forget(from, to)));
  }

  @Test
  void a_barrier_is_read_back() {
    assertThat(RecordFormat.read(RecordFormat.barrier(-5)))
        .isEqualTo(new RecordFormat.Written(-5, new LedgerRecord.Barrier()));
  }

  @Test
  void a_batch_as_it_comes_under_load_takes_a_few_bytes() {
    Draft draft = new Draft();
    for (int sequence = 10_000; sequence < 12_048; sequence++) {
      draft.add(sequence, T + sequence / 100);
    }
    assertThat(RecordFormat.completions(1, draft.records().get(0))).hasSizeLessThan(30);
  }

  @Test
  void a_record_of_a_newer_release_is_refused_with_one_sentence() {
    byte[] newer = RecordFormat.barrier(1);
    newer[0] = 2;
    assertThatThrownBy(() -> RecordFormat.read(newer))
        .isInstanceOf(LedgerFormatException.class)
        .hasMessage(
            "The ledger holds a record of version 2, which this release does not read; it reads"
                + " version 1.");
  }

  @Property(tries = 3_000)
  void bytes_without_meaning_are_refused_as_such(@ForAll @Size(max = 200) byte[] bytes) {
    readOrRefuse(bytes);
  }

  @Property(tries = 3_000)
  void a_record_that_was_damaged_is_refused_or_harmless(
      @ForAll("records") byte[] record, @ForAll int at, @ForAll byte value, @ForAll boolean cut) {
    byte[] damaged = record.clone();
    int index = Math.floorMod(at, damaged.length);
    damaged[index] = value;
    readOrRefuse(cut ? Arrays.copyOf(damaged, index) : damaged);
  }

  @Test
  void a_bitmap_that_claims_to_be_of_a_thousand_million_parts_is_given_no_room() {
    RoaringBitmap bits = RoaringBitmap.bitmapOf(1, 9, 100);
    byte[] record =
        RecordFormat.snapshot(
            1, new LedgerRecord.Snapshot(7, List.of(new Layer(bits, someTimes()))));
    int cookie = indexOf(record, new byte[] {0x3A, 0x30, 0, 0});
    assertThat(cookie).as("where the bitmap begins").isPositive();
    record[cookie + 7] = 0x40;

    assertThatThrownBy(() -> RecordFormat.read(record)).isInstanceOf(LedgerFormatException.class);
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    int at = 0;
    while (!Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
      at++;
    }
    return at;
  }

  @Property(tries = 500)
  void whatever_is_cut_off_a_snapshot_is_missed(
      @ForAll("layers") Layer layer, @ForAll @IntRange(min = 1, max = 30) int missing) {
    byte[] whole = RecordFormat.snapshot(1, new LedgerRecord.Snapshot(7, List.of(layer)));
    byte[] cut = Arrays.copyOf(whole, Math.max(0, whole.length - missing));
    assertThatThrownBy(() -> RecordFormat.read(cut)).isInstanceOf(LedgerFormatException.class);
  }

  /** What is read from damaged bytes must at least be fit for use. */
  private static void readOrRefuse(byte[] bytes) {
    RecordFormat.Written written;
    try {
      written = RecordFormat.read(bytes);
    } catch (LedgerFormatException e) {
      assertThat(e.getMessage()).startsWith("The ledger holds a record");
      return;
    }
    Block block = new Block(new BlockKey(0));
    block.apply(1, new LedgerRecord.Completions(RoaringBitmap.bitmapOf(1, 9), someTimes()), T);
    block.apply(2, written.record(), T);
    assertThat(RecordFormat.read(RecordFormat.snapshot(1, block.snapshot())).record())
        .isInstanceOf(LedgerRecord.Snapshot.class);
  }

  private static PublishTimes someTimes() {
    PublishTimes times = PublishTimes.unbounded();
    times.add(1, T);
    times.add(9, T + 1);
    return times;
  }

  @Provide
  Arbitrary<RoaringBitmap> lows() {
    Arbitrary<Integer> low = Arbitraries.integers().between(0, BlockKey.LOW);
    Arbitrary<Set<Integer>> scattered = low.set().ofMaxSize(100);
    Arbitrary<Set<Integer>> dense = Arbitraries.integers().between(30, 200).set().ofMaxSize(150);
    Arbitrary<RoaringBitmap> range =
        Combinators.combine(low, low)
            .as((a, b) -> RoaringBitmap.bitmapOfRange(Math.min(a, b), Math.max(a, b) + 1L));
    return Arbitraries.oneOf(
        scattered.map(RecordFormatTest::bitmap), dense.map(RecordFormatTest::bitmap), range);
  }

  private static RoaringBitmap bitmap(Set<Integer> values) {
    RoaringBitmap bitmap = new RoaringBitmap();
    values.forEach(bitmap::add);
    return bitmap;
  }

  @Provide
  Arbitrary<PublishTimes> times() {
    return Combinators.combine(
            Arbitraries.integers().between(0, BlockKey.LOW).set().ofMinSize(1).ofMaxSize(40),
            Arbitraries.longs().between(0, 1L << 46),
            Arbitraries.integers().between(0, 100_000).list().ofSize(40))
        .as(
            (lows, first, waits) -> {
              PublishTimes times = PublishTimes.bounded();
              List<Integer> ascending = new ArrayList<>(lows);
              ascending.sort(null);
              long millis = first;
              for (int i = 0; i < ascending.size(); i++) {
                millis += waits.get(i);
                times.add(ascending.get(i), millis);
              }
              return times;
            });
  }

  @Provide
  Arbitrary<Layer> layers() {
    return Combinators.combine(lows(), times()).as(Layer::new);
  }

  @Provide
  Arbitrary<byte[]> records() {
    Arbitrary<byte[]> completions =
        Combinators.combine(lows(), times())
            .as((lows, times) -> new LedgerRecord.Completions(lows, times))
            .map(record -> RecordFormat.completions(9, record));
    Arbitrary<byte[]> snapshots =
        layers()
            .list()
            .ofMaxSize(2)
            .map(layers -> RecordFormat.snapshot(9, new LedgerRecord.Snapshot(77, layers)));
    return Arbitraries.oneOf(
        completions, snapshots, Arbitraries.just(RecordFormat.forget(9, 3, 4)));
  }
}
