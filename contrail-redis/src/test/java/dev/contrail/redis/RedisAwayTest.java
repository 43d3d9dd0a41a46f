package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.conformance.Cable;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.server.RedisServer;
import io.lettuce.core.KillArgs;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Redis that is not there, not fit, or silent. */
class RedisAwayTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final LedgerScope NEXT = new LedgerScope("ORDERS", "billing", "second");

  @Test
  void opening_without_a_redis_fails_with_one_sentence() {
    RedisServer server = RedisServer.start();
    server.close();
    try (RedisLedger ledger = RedisLedger.at(server.url())) {
      assertThatThrownBy(() -> ledger.open(Redis.SCOPE))
          .isInstanceOf(RedisUnavailableException.class)
          .message()
          .startsWith("Redis at " + server.url() + " cannot be used: ")
          .contains("Connection refused")
          .doesNotContain("\n");
    }
  }

  @Test
  void opening_with_a_wrong_password_says_so() {
    try (RedisServer server = RedisServer.start("user worker on >right ~* +@all");
        RedisLedger ledger =
            RedisLedger.at(server.url().replace("redis://", "redis://worker:wrong-one@"))) {
      assertThatThrownBy(() -> ledger.open(Redis.SCOPE))
          .isInstanceOf(RedisLedgerException.class)
          .message()
          .contains("WRONGPASS")
          .doesNotContain("wrong-one");
    }
  }

  @Test
  void a_cluster_is_refused() {
    try (RedisServer server = RedisServer.start("cluster-enabled yes");
        RedisLedger ledger = RedisLedger.at(server.url())) {
      assertThatThrownBy(() -> ledger.open(Redis.SCOPE))
          .isInstanceOf(RedisLedgerException.class)
          .hasMessageContaining("is a cluster");
    }
  }

  @Test
  void a_replica_is_refused() {
    try (RedisServer primary = RedisServer.start();
        RedisServer replica =
            RedisServer.start(
                "replicaof 127.0.0.1 " + primary.url().substring("redis://127.0.0.1:".length()));
        RedisLedger ledger = RedisLedger.at(replica.url())) {
      assertThatThrownBy(() -> ledger.open(Redis.SCOPE))
          .isInstanceOf(RedisLedgerException.class)
          .hasMessageContaining("is a replica");
    }
  }

  @Test
  void a_redis_that_may_forget_is_warned_of_once() {
    try (RedisServer server =
            RedisServer.start("appendonly no", "maxmemory 100mb", "maxmemory-policy allkeys-lru");
        RedisLedger ledger = RedisLedger.at(server.url());
        LogCapture log = new LogCapture()) {
      ledger.open(Redis.SCOPE);
      ledger.open(NEXT);
      assertThat(log.fromWarningsOn())
          .satisfiesExactly(
              first -> assertThat(first).contains("maxmemory-policy allkeys-lru"),
              second -> assertThat(second).contains("appendonly no"));
    }
  }

  @Test
  void a_redis_that_does_not_show_its_configuration_is_used_without_a_word() {
    try (RedisServer server =
            RedisServer.start("appendonly no", "user worker on >secret ~* +@all -info");
        RedisLedger ledger =
            RedisLedger.at(server.url().replace("redis://", "redis://worker:secret@"));
        LogCapture log = new LogCapture()) {
      Redis.record(ledger.open(Redis.SCOPE), Redis.messages(1, 5));
      assertThat(log.fromWarningsOn()).isEmpty();
    }
  }

  @Test
  void the_permissions_that_are_documented_are_enough() {
    String permissions = "~contrail:* +get +set +mget +scan +pttl +pexpire +ping +hello +info";
    try (RedisServer server =
            RedisServer.start("appendonly no", "user worker on >secret " + permissions);
        RedisLedger ledger =
            RedisLedger.at(server.url().replace("redis://", "redis://worker:secret@"))
                .longestOutage(Duration.ZERO);
        LogCapture log = new LogCapture()) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      Redis.record(opened, Redis.messages(1, 5));
      assertThat(Redis.completed(opened, Redis.messages(1, 9)).cardinality()).isEqualTo(5);
      assertThat(opened.objection(Duration.ofDays(9))).isEmpty();
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> assertThat(log.from(Level.INFO)).anyMatch(it -> it.contains("5 completions")));
      assertThat(opened.objection(Duration.ofDays(9))).isEmpty();
      assertThat(log.fromWarningsOn()).singleElement().asString().contains("appendonly no");
    }
  }

  @Test
  void what_a_full_redis_does_not_take_is_not_recorded() {
    try (Redis redis = new Redis();
        RedisLedger ledger = redis.ledger()) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      redis.commands().configSet("maxmemory", "1");
      assertThatThrownBy(() -> Redis.record(opened, Redis.messages(1, 5)))
          .isInstanceOf(CompletionException.class)
          .hasMessageContaining("OOM");
      assertThat(Redis.completed(opened, Redis.messages(1, 5)).isEmpty()).isTrue();
      redis.commands().configSet("maxmemory", "0");
      Redis.record(opened, Redis.messages(1, 5));
      assertThat(Redis.completed(opened, Redis.messages(1, 5)).cardinality()).isEqualTo(5);
    }
  }

  @Test
  void a_ledger_is_opened_again_at_once_while_redis_is_away() {
    try (RedisServer server = RedisServer.start();
        RedisLedger ledger = RedisLedger.at(server.url())) {
      ledger.open(Redis.SCOPE);
      server.kill();
      CompletionLedger reopened = ledger.open(NEXT);
      assertThat(reopened.objection(Duration.ofHours(1))).isEmpty();
      await().atMost(SOON).untilAsserted(() -> assertThat(fails(reopened)).isTrue());
      server.startAgain();
      await().atMost(SOON).untilAsserted(() -> assertThat(fails(reopened)).isFalse());
    }
  }

  @Test
  void while_redis_is_frozen_every_call_is_answered_with_a_failure() {
    try (RedisServer server = RedisServer.start();
        RedisLedger ledger = RedisLedger.at(server.url())) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      Redis.record(opened, Redis.messages(1, 5));
      server.freeze();
      CompletionStage<?> recording = opened.record(Redis.messages(6, 9));
      CompletionStage<?> lookUp = opened.completed(Redis.messages(1, 9));
      assertThatThrownBy(() -> Redis.answer(recording))
          .isInstanceOf(CompletionException.class)
          .cause()
          .hasMessage("Redis at " + server.url() + ": it did not answer in time");
      assertThatThrownBy(() -> Redis.answer(lookUp)).isInstanceOf(CompletionException.class);
      server.thaw();
      await().atMost(SOON).untilAsserted(() -> assertThat(fails(opened)).isFalse());
      assertThat(Redis.completed(opened, Redis.messages(1, 5)).cardinality()).isEqualTo(5);
    }
  }

  @Test
  void a_connection_on_which_nothing_is_answered_any_more_is_replaced() throws Exception {
    try (RedisServer server = RedisServer.start();
        Cable cable = new Cable(URI.create(server.url()).getPort());
        RedisLedger ledger = RedisLedger.at("redis://127.0.0.1:" + cable.port())) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      Redis.record(opened, Redis.messages(1, 5));
      cable.swallow();
      assertThat(fails(opened)).isTrue();
      await().atMost(SOON).untilAsserted(() -> assertThat(fails(opened)).isFalse());
      assertThat(Redis.completed(opened, Redis.messages(1, 9)).cardinality()).isEqualTo(5);
    }
  }

  @Test
  void on_a_silent_redis_nothing_piles_up() {
    try (RedisServer server = RedisServer.start();
        RedisLedger ledger = RedisLedger.at(server.url()).timeout(Duration.ofSeconds(1))) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      server.freeze();
      assertThat(fails(opened)).isTrue();
      // Given up: a call that waited for its answer would take a second.
      long start = System.nanoTime();
      assertThatThrownBy(() -> Redis.record(opened, Redis.messages(1, 5)))
          .hasMessageEndingWith("there is no connection");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(800));
      server.thaw();
      await().atMost(SOON).untilAsserted(() -> assertThat(fails(opened)).isFalse());
    }
  }

  @Test
  void a_redis_that_comes_back_as_a_replica_is_not_believed() {
    try (Redis other = new Redis();
        Redis redis = new Redis();
        RedisLedger ledger = redis.ledger();
        LogCapture log = new LogCapture()) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      Redis.record(opened, Redis.messages(1, 5));
      redis.commands().replicaof("127.0.0.1", URI.create(other.server.url()).getPort());
      // As a sentinel does it after a failover.
      redis.commands().clientKill(KillArgs.Builder.typeNormal().skipme());
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> assertThat(log.fromWarningsOn()).anyMatch(it -> it.contains("is a replica")));
      assertThat(fails(opened)).isTrue();
      redis.commands().replicaofNoOne();
      await().atMost(SOON).untilAsserted(() -> assertThat(fails(opened)).isFalse());
    }
  }

  @Test
  void what_is_under_way_when_redis_dies_is_answered_at_once_and_not_sent_again() {
    try (Redis redis = new Redis();
        RedisLedger ledger = redis.ledger()) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      redis.server.freeze();
      CompletionStage<Void> recording = opened.record(Redis.messages(1, 5));
      redis.server.kill();
      assertThatThrownBy(() -> Redis.answer(recording)).isInstanceOf(CompletionException.class);
      redis.server.startAgain();
      await().atMost(SOON).untilAsserted(() -> assertThat(fails(opened)).isFalse());
      assertThat(redis.commands().keys("*")).isEmpty();
    }
  }

  @Test
  void closing_twice_and_in_any_order_is_harmless() {
    try (RedisServer server = RedisServer.start()) {
      RedisLedger ledger = RedisLedger.at(server.url());
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      ledger.close();
      assertThatThrownBy(() -> Redis.completed(opened, Redis.messages(1, 9)))
          .isInstanceOf(CompletionException.class);
      assertThatCode(opened::close).doesNotThrowAnyException();
      assertThatCode(opened::close).doesNotThrowAnyException();
      assertThatCode(ledger::close).doesNotThrowAnyException();
      assertThatThrownBy(() -> ledger.open(NEXT)).hasMessageEndingWith("is closed");
    }
  }

  @Test
  @Timeout(60)
  void closing_while_the_connection_comes_back_ends() {
    try (RedisServer server = RedisServer.start()) {
      for (int i = 0; i < 20; i++) {
        RedisLedger ledger = RedisLedger.at(server.url());
        ledger.open(Redis.SCOPE);
        server.kill();
        server.startAgain();
        ledger.close();
      }
    }
  }

  private static boolean fails(CompletionLedger ledger) {
    return Redis.answer(
        ledger.completed(Redis.messages(1, 2)).handle((completed, failure) -> failure != null));
  }
}
