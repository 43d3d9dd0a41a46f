package dev.contrail.operations.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.operations.guard.Settled.Found;
import dev.contrail.operations.guard.Settled.Place;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettledTest {
  private static final Instant MADE = Instant.parse("2026-01-01T00:00:00Z");
  private static final Found ORDERS = new Found("ORDERS", MADE, 100);
  private static final Place NEW = place("ORDERS.new");
  private static final Place OLD = place("ORDERS.old");

  private final Settled settled = new Settled();

  private static Place place(String subject) {
    return new Place("ORDERS", MADE, subject, List.of(MADE));
  }

  @Test
  void what_stays_is_not_read_again() {
    assertThat(settled.from(ORDERS, NEW)).isEqualTo(1);
    settled.upTo(NEW, 40);
    assertThat(settled.from(ORDERS, NEW)).isEqualTo(41);
    assertThat(settled.from(ORDERS, OLD)).isEqualTo(1);
  }

  @Test
  void where_nothing_stays_nothing_is_remembered() {
    settled.upTo(NEW, 40);
    settled.nothingStays(NEW);
    assertThat(settled.from(ORDERS, NEW)).isEqualTo(1);
    assertThat(settled.size()).isZero();
  }

  @Test
  void a_stream_that_gives_out_its_sequences_again_is_read_from_its_start() {
    settled.upTo(NEW, 40);
    assertThat(settled.from(new Found("ORDERS", MADE, 39), NEW)).isEqualTo(1);
    settled.looked(new Found("ORDERS", MADE, 39), false);
    assertThat(settled.from(ORDERS, NEW)).as("when it has grown beyond that").isEqualTo(1);
  }

  @Test
  void a_place_that_is_not_seen_again_is_forgotten_unless_not_all_could_be_told() {
    settled.upTo(NEW, 40);
    settled.upTo(OLD, 50);
    settled.from(ORDERS, NEW);
    settled.looked(ORDERS, false);
    assertThat(settled.size()).isEqualTo(2);

    settled.from(ORDERS, NEW);
    settled.looked(ORDERS, true);
    assertThat(settled.size()).isEqualTo(1);
    assertThat(settled.from(ORDERS, NEW)).isEqualTo(41);
  }

  @Test
  void a_stream_made_again_or_gone_is_forgotten() {
    settled.upTo(NEW, 40);
    settled.looked(new Found("ORDERS", MADE.plusSeconds(1), 100), false);
    assertThat(settled.size()).isZero();

    settled.upTo(NEW, 40);
    settled.retain(List.of(ORDERS));
    assertThat(settled.size()).isEqualTo(1);
    settled.retain(List.of());
    assertThat(settled.size()).isZero();
  }
}
