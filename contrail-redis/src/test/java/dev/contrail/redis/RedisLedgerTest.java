package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the ledger keeps in Redis, and for how long. */
class RedisLedgerTest {
  private static final Duration SOON = Duration.ofSeconds(30);
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
  void a_completion_is_a_key_with_the_time_of_publication_and_a_derived_ttl() {
    try (RedisLedger ledger = redis.ledger()) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      assertThat(opened.objection(HOUR)).isEmpty();
      Redis.record(opened, Redis.messages(42, 42));
      assertThat(redis.commands().get(Redis.key(42))).isEqualTo("1700000000042");
      assertTtl(42, Duration.ofDays(2));
    }
  }

  @Test
  void its_headroom_is_what_the_ttl_leaves_beyond_what_may_come_again() {
    try (RedisLedger ledger =
        redis.ledger().ttl(Duration.ofHours(3)).longestOutage(Duration.ofMinutes(1))) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      assertThat(opened.headroom(HOUR)).contains(Duration.ofHours(2));
      assertThat(opened.headroom(Duration.ofHours(4))).contains(Duration.ofHours(-1));
    }
    try (RedisLedger derived = redis.ledger()) {
      assertThat(derived.open(Redis.SCOPE).headroom(HOUR)).contains(Duration.ofDays(1));
    }
  }

  @Test
  void a_ttl_that_is_set_is_the_ttl() {
    try (RedisLedger ledger =
        redis.ledger().ttl(Duration.ofHours(3)).longestOutage(Duration.ofMinutes(1))) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      assertThat(opened.objection(HOUR)).isEmpty();
      Redis.record(opened, Redis.messages(1, 1));
      assertTtl(1, Duration.ofHours(3));
    }
  }

  @Test
  void a_completion_is_forgotten_when_its_ttl_is_over() {
    try (RedisLedger ledger = redis.ledger().ttl(Duration.ofSeconds(1))) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      Redis.record(opened, Redis.messages(1, 3));
      assertThat(Redis.completed(opened, Redis.messages(1, 3)).cardinality()).isEqualTo(3);
      await().atMost(SOON).until(() -> Redis.completed(opened, Redis.messages(1, 3)).isEmpty());
    }
  }

  @Test
  void the_prefix_of_the_keys_can_be_chosen() {
    try (RedisLedger ledger = redis.ledger().prefix("shop:contrail")) {
      CompletionLedger opened = ledger.open(new LedgerScope("A:B", "billing", "i1"));
      Redis.record(opened, Redis.messages(1, 1));
      assertThat(redis.commands().keys("*"))
          .containsExactly("shop:contrail:processed:A%3AB:billing:i1:1");
    }
  }

  @Test
  void when_the_ack_wait_grows_new_keys_live_longer_and_those_there_are_extended() {
    try (RedisLedger ledger = redis.ledger().longestOutage(Duration.ZERO)) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      assertThat(opened.objection(HOUR)).isEmpty();
      Redis.record(opened, Redis.messages(1, 2_500));
      assertTtl(1, Duration.ofHours(2));
      redis.commands().set("contrail:processed:ORDERS:billing:other:1", "1");
      redis.commands().pexpire("contrail:processed:ORDERS:billing:other:1", 60_000);
      redis.commands().persist(Redis.key(7));
      redis.commands().pexpire(Redis.key(8), Duration.ofDays(9).toMillis());

      assertThat(opened.objection(Duration.ofHours(5))).isEmpty();
      Redis.record(opened, Redis.messages(3_000, 3_000));
      assertTtl(3_000, Duration.ofHours(10));
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(redis.commands().get(Redis.LIFETIME_KEY))
                      .isEqualTo(Long.toString(Duration.ofHours(10).toMillis())));
      for (long sequence : List.of(1L, 1_234L, 2_500L)) {
        assertTtl(sequence, Duration.ofHours(10));
      }
      assertThat(redis.commands().pttl("contrail:processed:ORDERS:billing:other:1"))
          .as("keys of another ledger")
          .isLessThanOrEqualTo(60_000);
      assertThat(redis.commands().pttl(Redis.key(7))).as("kept for ever").isEqualTo(-1);
      assertTtl(8, Duration.ofDays(9));
    }
  }

  @Test
  void growth_within_the_margin_extends_nothing() {
    try (RedisLedger ledger = redis.ledger().longestOutage(Duration.ZERO)) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      awaitLifetime(opened, HOUR, Duration.ofHours(2));
      Redis.record(opened, Redis.messages(1, 1));
      redis.commands().pexpire(Redis.key(1), 5_000_000);
      awaitLifetime(opened, Duration.ofMinutes(90), Duration.ofHours(2));
      assertThat(redis.commands().pttl(Redis.key(1))).isLessThanOrEqualTo(5_000_000);
      Redis.record(opened, Redis.messages(2, 2));
      assertTtl(2, Duration.ofHours(3));
    }
  }

  @Test
  void keys_of_workers_with_a_shorter_ttl_are_extended_at_the_start() {
    try (RedisLedger careless =
        redis.ledger().ttl(Duration.ofHours(2)).longestOutage(Duration.ZERO)) {
      CompletionLedger opened = careless.open(Redis.SCOPE);
      Redis.record(opened, Redis.messages(1, 10));
      awaitLifetime(opened, HOUR, Duration.ofHours(2));
    }
    try (RedisLedger careful = redis.ledger()) {
      CompletionLedger opened = careful.open(Redis.SCOPE);
      assertThat(opened.objection(HOUR)).isEmpty();
      awaitLifetime(opened, HOUR, Duration.ofDays(2));
      assertTtl(10, Duration.ofDays(2));
    }
  }

  @Test
  void a_ledger_opened_for_a_new_stream_begins_with_the_ttl_of_the_old() {
    try (RedisLedger ledger = redis.ledger()) {
      assertThat(ledger.open(Redis.SCOPE).objection(Duration.ofDays(5))).isEmpty();
      CompletionLedger reopened = ledger.open(new LedgerScope("ORDERS", "billing", "second"));
      Redis.record(reopened, Redis.messages(1, 1));
      assertThat(redis.commands().pttl("contrail:processed:ORDERS:billing:second:1"))
          .isGreaterThan(Duration.ofDays(9).toMillis());
    }
  }

  @Test
  void a_user_who_may_not_extend_is_told_to_be_allowed() {
    redis
        .commands()
        .aclSetuser(
            "worker",
            AclSetuserArgs.Builder.on()
                .addPassword("secret")
                .keyPattern("contrail:*")
                .allCommands()
                .removeCommand(CommandType.SCAN));
    redis.commands().set(Redis.LIFETIME_KEY, "1000");
    try (RedisLedger ledger =
        RedisLedger.at(redis.server.url().replace("redis://", "redis://worker:secret@"))) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(opened.objection(HOUR))
                      .hasValueSatisfying(
                          why ->
                              assertThat(why)
                                  .contains(
                                      "shorter than the 1d",
                                      "extended (NOPERM",
                                      "allow its user")));
      redis.commands().del(Redis.LIFETIME_KEY);
      await().atMost(SOON).until(() -> opened.objection(HOUR).isEmpty());
    }
  }

  @Test
  void a_value_of_another_release_is_refused_and_not_taken_for_a_completion() {
    try (RedisLedger ledger = redis.ledger()) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      for (String value : List.of("v2:1700000000001", "", "99999999999999999999", "-5")) {
        redis.commands().set(Redis.key(1), value);
        assertThatThrownBy(() -> Redis.completed(opened, Redis.messages(1, 2)))
            .as("'%s'", value)
            .hasMessageContaining("the completion of message 1 in Redis at redis://127.0.0.1:")
            .hasMessageContaining("use the release that wrote it");
      }
    }
  }

  @Test
  void a_reused_sequence_is_told_once() {
    try (RedisLedger ledger = redis.ledger();
        LogCapture log = new LogCapture()) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      Redis.record(opened, Redis.messages(1, 1_000));
      List<Redis.Entry> reused =
          Redis.messages(1, 1_000).stream()
              .map(it -> new Redis.Entry(it.sequence(), it.publishedMillis() + 1))
              .toList();
      assertThat(Redis.completed(opened, reused).isEmpty()).isTrue();
      assertThat(Redis.completed(opened, reused).isEmpty()).isTrue();
      assertThat(log.fromWarningsOn())
          .singleElement()
          .asString()
          .contains("hands out sequences again");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "localhost:6379", "nats://127.0.0.1:4222", "redis://", "redis-socket:///x"})
  void what_is_no_url_of_a_redis_is_refused(String url) {
    assertThatThrownBy(() -> RedisLedger.at(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the URL of the Redis ledger, '%s', is none; accepted are redis://host:6379 and"
                    .formatted(url)
                + " rediss://user:password@host:6379/database");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT0.099S", "PT1M0.001S"})
  void a_timeout_out_of_range_is_refused(Duration timeout) {
    assertThatThrownBy(() -> redis.ledger().timeout(timeout))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("but must be between 100ms and 1m");
  }

  @Test
  void a_host_may_have_any_name_that_hosts_have() {
    for (String host : List.of("cache", "my_redis", "a-b.example.com", "10.0.0.1", "[::1]")) {
      assertThat(RedisLedger.at("REDISS://worker:s%40cret@" + host + "/2").place())
          .isEqualTo("rediss://" + host + ":6379/2");
      assertThat(RedisLedger.at("redis://:secret@" + host + ":6380").place())
          .isEqualTo("redis://" + host + ":6380");
    }
  }

  @Test
  void a_password_is_shown_nowhere() {
    assertThatThrownBy(() -> RedisLedger.at("redis://worker:secret@"))
        .message()
        .doesNotContain("secret");
    assertThat(RedisLedger.at("redis://worker:secret@127.0.0.1:6379/3"))
        .hasToString("completions in Redis at redis://127.0.0.1:6379/3");
  }

  private static void assertTtl(long sequence, Duration expected) {
    assertThat(Duration.ofMillis(redis.commands().pttl(Redis.key(sequence))))
        .as("remaining TTL of message %s", sequence)
        .isBetween(expected.minusMinutes(2), expected);
  }

  private static void awaitLifetime(CompletionLedger ledger, Duration ackWait, Duration lifetime) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              assertThat(ledger.objection(ackWait)).isEmpty();
              assertThat(redis.commands().get(Redis.LIFETIME_KEY))
                  .isEqualTo(Long.toString(lifetime.toMillis()));
            });
  }
}
