package dev.contrail.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.ledger.SequenceSet.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class SequenceSetTest {
  private static final long BORDER = 1L << 32;

  /** Around the places where something begins: a block, a part, and zero. */
  @Provide
  Arbitrary<List<Range>> ranges() {
    Arbitrary<Long> base = Arbitraries.of(0L, 65_536L, BORDER - 20, 3 * BORDER - 20);
    Arbitrary<Range> range =
        Combinators.combine(
                base, Arbitraries.longs().between(1, 40), Arbitraries.integers().between(0, 9))
            .as((at, offset, more) -> new Range(at + offset, at + offset + more));
    return range.list().ofMaxSize(12);
  }

  private static SequenceSet set(List<Range> ranges) {
    SequenceSet set = new SequenceSet();
    ranges.forEach(range -> set.add(range.from(), range.to()));
    return set;
  }

  private static NavigableSet<Long> model(List<Range> ranges) {
    TreeSet<Long> model = new TreeSet<>();
    for (Range range : ranges) {
      for (long one = range.from(); one <= range.to(); one++) {
        model.add(one);
      }
    }
    return model;
  }

  private static NavigableSet<Long> elements(SequenceSet set) {
    return model(set.ranges());
  }

  @Property(tries = 200)
  void behaves_as_a_set(@ForAll("ranges") List<Range> one, @ForAll("ranges") List<Range> another) {
    NavigableSet<Long> both = model(one);
    both.retainAll(model(another));
    NavigableSet<Long> without = model(one);
    without.removeAll(model(another));
    NavigableSet<Long> all = model(one);
    all.addAll(model(another));
    SequenceSet added = set(one);
    added.add(set(another));

    assertThat(elements(set(one).and(set(another)))).isEqualTo(both);
    assertThat(elements(set(one).minus(set(another)))).isEqualTo(without);
    assertThat(elements(added)).isEqualTo(all);
    assertThat(added.count()).isEqualTo(all.size());
    assertThat(added.isEmpty()).isEqualTo(all.isEmpty());
  }

  @Property(tries = 200)
  void knows_its_order(@ForAll("ranges") List<Range> ranges, @ForAll("ranges") List<Range> places) {
    SequenceSet set = set(ranges);
    NavigableSet<Long> model = model(ranges);
    List<Long> inOrder = new ArrayList<>(model);
    assertThat(set.first()).isEqualTo(optional(model.isEmpty() ? null : model.first()));
    assertThat(set.last()).isEqualTo(optional(model.isEmpty() ? null : model.last()));
    for (int rank = 0; rank < inOrder.size(); rank++) {
      assertThat(set.at(rank)).isEqualTo(inOrder.get(rank));
      assertThat(elements(set.greatest(rank)))
          .containsExactlyElementsOf(inOrder.subList(inOrder.size() - rank, inOrder.size()));
    }
    for (Range place : places) {
      assertThat(set.lastUpTo(place.to())).isEqualTo(optional(model.floor(place.to())));
      assertThat(elements(set.upTo(place.to()))).isEqualTo(model.headSet(place.to(), true));
      assertThat(elements(set.beyond(place.to()))).isEqualTo(model.tailSet(place.to(), false));
      assertThat(set.contains(place.to())).isEqualTo(model.contains(place.to()));
    }
  }

  @Property(tries = 200)
  void ranges_are_as_few_as_can_be(@ForAll("ranges") List<Range> ranges) {
    List<Range> shown = set(ranges).ranges();
    for (int i = 1; i < shown.size(); i++) {
      assertThat(shown.get(i).from()).isGreaterThan(shown.get(i - 1).to() + 1);
    }
  }

  @Test
  void a_block_takes_its_place() {
    SequenceSet set = new SequenceSet();
    set.add(BORDER + 65_536, RoaringBitmap.bitmapOf(0, 1, 65_535));
    set.add(65_536, new RoaringBitmap());
    assertThat(set.ranges())
        .containsExactly(
            new Range(BORDER + 65_536, BORDER + 65_537),
            new Range(BORDER + 131_071, BORDER + 131_071));
  }

  private static OptionalLong optional(@Nullable Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }
}
