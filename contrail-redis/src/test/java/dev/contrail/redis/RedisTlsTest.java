package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.server.RedisServer;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rediss://}: a Redis with TLS, whose certificate this JVM trusts. */
class RedisTlsTest {
  private static final String TRUST_STORE = "javax.net.ssl.trustStore";
  private static final String TRUST_STORE_PASSWORD = "javax.net.ssl.trustStorePassword";

  private static RedisServer server;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    TestCertificate certificate = new TestCertificate(folder, "known", "dns:localhost");
    server = RedisServer.startWithTls(certificate.certificate, certificate.key);
    System.setProperty(TRUST_STORE, certificate.store.toString());
    System.setProperty(TRUST_STORE_PASSWORD, TestCertificate.PASSWORD);
  }

  @AfterAll
  static void end() {
    System.clearProperty(TRUST_STORE);
    System.clearProperty(TRUST_STORE_PASSWORD);
    server.close();
  }

  private static String url(String scheme, String host) {
    return scheme + "://" + host + ":" + server.tlsPort();
  }

  @Test
  void completions_are_kept_over_tls_also_after_redis_was_away() {
    try (RedisLedger ledger = RedisLedger.at(url("rediss", "localhost"))) {
      CompletionLedger opened = ledger.open(Redis.SCOPE);
      Redis.record(opened, Redis.messages(1, 5));
      assertThat(Redis.completed(opened, Redis.messages(1, 9)).cardinality()).isEqualTo(5);

      server.kill();
      server.startAgain();
      await()
          .atMost(Orders.SOON)
          .ignoreExceptions()
          .until(() -> Redis.completed(opened, Redis.messages(1, 9)).cardinality() == 5);
    }
  }

  @Test
  void a_certificate_for_another_host_is_refused() {
    refuses(
        url("rediss", "127.0.0.1"),
        "its certificate is refused: No subject alternative names matching IP address"
            + " 127.0.0.1 found");
  }

  @Test
  void a_certificate_that_is_not_trusted_is_refused(@TempDir Path folder) throws Exception {
    TestCertificate unknown = new TestCertificate(folder, "unknown", "dns:localhost");
    try (RedisServer other = RedisServer.startWithTls(unknown.certificate, unknown.key)) {
      refuses(
          "rediss://localhost:" + other.tlsPort(),
          "its certificate is not trusted here: unable to find valid certification path to"
              + " requested target");
    }
  }

  @Test
  void a_redis_without_tls_is_refused() {
    refuses(
        "rediss://localhost:" + URI.create(server.url()).getPort(),
        "it did not answer in time; if it is without TLS, its URL begins with redis://");
  }

  @Test
  void a_redis_that_wants_tls_is_refused_without() {
    refuses(
        url("redis", "localhost"),
        "it hangs up at once; if it is with TLS, its URL begins with rediss://");
  }

  private static void refuses(String url, String why) {
    try (RedisLedger ledger = RedisLedger.at(url)) {
      assertThatThrownBy(() -> ledger.open(Redis.SCOPE))
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessage("Redis at " + url + " cannot be used: " + why);
    }
  }
}
