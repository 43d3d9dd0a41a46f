package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Completions in Redis as operators see them. */
class RedisCompletionsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static Redis redis;

  @BeforeAll
  static void start() {
    redis = new Redis();
  }

  @AfterAll
  static void end() {
    redis.close();
  }

  @BeforeEach
  void empty() {
    redis.commands().flushall();
  }

  @Test
  void the_times_left_are_counted_in_bands_of_which_one_begins_at_the_ack_wait() {
    try (RedisLedger ledger = redis.ledger()) {
      Redis.record(ledger.open(Redis.SCOPE), Redis.messages(1, 3_000));
      redis.commands().pexpire(Redis.key(7), Duration.ofMinutes(89).toMillis());
      redis.commands().pexpire(Redis.key(2_999), Duration.ofMinutes(89).toMillis());
      redis.commands().persist(Redis.key(8));
      List<Long> progress = new ArrayList<>();
      TtlDistribution found =
          ledger.completions(Redis.SCOPE).remaining(2_990, Duration.ofMinutes(90), progress::add);

      assertThat(found.completions()).isEqualTo(3_000);
      assertThat(found.endless()).isEqualTo(1);
      assertThat(found.unacked()).as("above the ack floor").isEqualTo(10);
      assertThat(found.unackedTooShort()).isEqualTo(1);
      assertThat(found.shortest().orElseThrow())
          .isBetween(Duration.ofMinutes(87), Duration.ofMinutes(89));
      assertThat(found.longest().orElseThrow())
          .isBetween(Duration.ofHours(47), Duration.ofHours(48));
      assertThat(found.bands())
          .contains(
              new TtlDistribution.Band(HOUR, Optional.of(Duration.ofMinutes(90)), 2),
              new TtlDistribution.Band(Duration.ofDays(1), Optional.of(Duration.ofDays(2)), 2_997));
      assertThat(progress).as("a page at a time").hasSizeGreaterThan(1).isSorted();
    }
  }

  @Test
  void a_range_is_counted_and_forgotten_and_nothing_else() {
    try (RedisLedger ledger = redis.ledger()) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      CompletionLedger other = ledger.open(new LedgerScope("ORDERS", "shipping", "ho77nadw1d"));
      Redis.record(opened, Redis.messages(1, 3_000));
      Redis.record(other, Redis.messages(1, 3_000));
      RedisCompletions completions = ledger.completions(Redis.SCOPE);

      assertThat(completions.count(11, 1_510)).isEqualTo(1_500);
      assertThat(completions.forget(11, 1_510)).isEqualTo(1_500);
      assertThat(completions.count(1, 5_000)).isEqualTo(1_500);
      assertThat(completions.forget(2_900, 900_000_000_000L))
          .as("a range of which most was never recorded")
          .isEqualTo(101);
      assertThat(Redis.completed(opened, Redis.messages(1, 3_000)).cardinality()).isEqualTo(1_399);
      assertThat(Redis.completed(other, Redis.messages(1, 3_000)).cardinality()).isEqualTo(3_000);
    }
  }

  @Test
  void what_redis_does_not_do_is_told() {
    redis.commands().set("contrail:processed-ttl:x", "1");
    try (RedisLedger ledger = redis.ledger()) {
      RedisCompletions completions = ledger.completions(Redis.SCOPE);
      assertThat(completions.keysToPass()).isEqualTo(1);
      redis.server.kill();
      assertThatThrownBy(completions::keysToPass)
          .isInstanceOf(RedisLedgerException.class)
          .hasMessageStartingWith("Redis at redis://127.0.0.1:");
      redis.server.startAgain();
    }
  }
}
