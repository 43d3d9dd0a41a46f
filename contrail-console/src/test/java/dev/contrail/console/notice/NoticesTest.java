package dev.contrail.console.notice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

class NoticesTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final InstantSource clock = now::get;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger().setLevel(Level.INFO);
    logger().setAdditive(false);
    logger().addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger().detachAppender(lines);
    logger().setLevel(null);
    logger().setAdditive(true);
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(Notices.class.getPackageName());
  }

  private String logged() {
    StringBuilder all = new StringBuilder();
    for (ILoggingEvent line : lines.list) {
      all.append(line.getKeyValuePairs()).append(' ').append(line.getFormattedMessage());
      all.append('\n');
    }
    return all.toString();
  }

  private Notices to(URI url, Optional<String> secret, Duration atMost) {
    return new Notices(
        Optional.of(new Webhook(url, secret, "contrail/test", "nats://a:4222", atMost)),
        () -> true,
        clock,
        attempts -> Duration.ofMillis(10));
  }

  private static Notice notice(int number) {
    return new Notice(
        NoticeKind.NEW_GROUP, START, "Group " + number, Map.of("group", "g" + number), "/groups");
  }

  @Test
  void it_is_posted_with_stable_fields_and_signed() throws Exception {
    try (Receiver receiver = new Receiver();
        Notices notices =
            to(
                URI.create(
                    receiver.at("/hook/T0KEN?key=K3Y").toString().replace("//", "//ann:s3cret@")),
                Optional.of("shared"),
                SOON)) {
      notices.tell(notice(1));
      await().atMost(SOON).until(() -> receiver.got.size() == 1);
      Receiver.Got got = receiver.got.get(0);
      JsonNode body = got.json();
      assertThat(body.propertyNames())
          .containsExactly("version", "id", "kind", "at", "text", "server", "path", "about");
      assertThat(body.path("kind").asString()).isEqualTo("new-group");
      assertThat(body.path("at").asString()).isEqualTo("2026-01-01T12:00:00Z");
      assertThat(body.path("text").asString()).isEqualTo("Group 1");
      assertThat(body.path("about").path("group").asString()).isEqualTo("g1");
      assertThat(got.path()).isEqualTo("/hook/T0KEN?key=K3Y");
      assertThat(got.header("Authorization"))
          .isEqualTo("Basic " + Base64.getEncoder().encodeToString("ann:s3cret".getBytes(UTF_8)));
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec("shared".getBytes(UTF_8), "HmacSHA256"));
      long at = START.getEpochSecond();
      assertThat(got.header("Contrail-signature"))
          .isEqualTo(
              "t="
                  + at
                  + ",v1="
                  + HexFormat.of().formatHex(mac.doFinal((at + "." + got.body()).getBytes(UTF_8))));
    }
  }

  @Test
  void an_error_at_one_does_not_keep_the_next_from_being_sent() throws Exception {
    try (Receiver receiver = new Receiver();
        Notices notices =
            new Notices(
                Optional.of(
                    new Webhook(
                        receiver.at("/hook"),
                        Optional.empty(),
                        "contrail/test",
                        "nats://a:4222",
                        SOON)),
                () -> true,
                clock,
                attempts -> {
                  throw new NoClassDefFoundError("gone");
                })) {
      receiver.next(Receiver.status(500));
      notices.tell(notice(1));
      notices.tell(notice(2));
      await().atMost(Duration.ofSeconds(10)).until(() -> receiver.got.size() == 2);
      assertThat(receiver.got.get(1).json().path("text").asString()).isEqualTo("Group 2");
      assertThat(logged()).contains("notice.lost").contains("NoClassDefFoundError");
    }
  }

  @Test
  void what_is_not_taken_is_sent_again_as_the_same_and_in_order() throws Exception {
    try (Receiver receiver = new Receiver();
        Notices notices = to(receiver.at("/hook"), Optional.empty(), SOON)) {
      receiver.next(Receiver.status(500));
      receiver.next(Receiver.status(429));
      notices.tell(notice(1));
      notices.tell(notice(2));
      await().atMost(SOON).until(() -> receiver.got.size() == 4);
      assertThat(receiver.got.subList(0, 3))
          .extracting(Receiver.Got::body)
          .containsOnly(receiver.got.get(0).body());
      assertThat(receiver.got.get(3).json().path("text").asString()).isEqualTo("Group 2");
      assertThat(receiver.got.get(3).json().path("id"))
          .isNotEqualTo(receiver.got.get(0).json().path("id"));
      assertThat(logged()).contains("notice.late").doesNotContain("notice.lost");
    }
  }

  @Test
  void what_is_refused_is_dropped_a_redirect_is_not_followed_and_no_secret_is_logged()
      throws Exception {
    try (Receiver receiver = new Receiver();
        Receiver elsewhere = new Receiver()) {
      receiver.next(Receiver.status(404));
      receiver.next(
          exchange -> {
            exchange.getResponseHeaders().add("Location", elsewhere.at("/stolen").toString());
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
          });
      URI url = URI.create(receiver.at("/T0KEN?key=K3Y").toString().replace("//", "//ann:s3cret@"));
      try (Notices notices = to(url, Optional.of("shared"), SOON)) {
        notices.tell(notice(1));
        notices.tell(notice(2));
        notices.tell(notice(3));
        await().atMost(SOON).until(() -> receiver.got.size() == 3);
      }
      assertThat(elsewhere.got).isEmpty();
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> assertThat(logged()).contains("it answers 404").contains("it answers 307"));
      assertThat(logged())
          .contains("127.0.0.1")
          .doesNotContain("T0KEN", "K3Y", "s3cret", "ann", "shared");
      assertThat(new NoticeSettings(Optional.of(url), Optional.of("shared")).toString())
          .doesNotContain("T0KEN", "K3Y", "s3cret", "ann", "shared");
    }
  }

  @Test
  void nobody_there_is_no_secret_in_the_log_and_no_wait_for_whoever_tells() {
    try (Notices notices =
        to(
            URI.create("http://ann:s3cret@127.0.0.1:1/T0KEN"),
            Optional.empty(),
            Duration.ofSeconds(5))) {
      long began = System.nanoTime();
      for (int i = 0; i < 1_000; i++) {
        notices.tell(notice(i));
      }
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
      await().atMost(SOON).untilAsserted(() -> assertThat(logged()).contains("notice.late"));
      assertThat(logged()).doesNotContain("T0KEN", "s3cret");
    }
  }

  @Test
  void an_answer_that_drips_for_ever_ends_in_time() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (Receiver receiver = new Receiver();
        Notices notices = to(receiver.at("/"), Optional.empty(), Duration.ofSeconds(1))) {
      receiver.next(
          exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try {
              while (!end.await(50, TimeUnit.MILLISECONDS)) {
                exchange.getResponseBody().write('x');
                exchange.getResponseBody().flush();
              }
            } catch (InterruptedException e) {
              throw new IOException(e);
            } finally {
              exchange.close();
            }
          });
      notices.tell(notice(1));
      await().atMost(SOON).until(() -> receiver.got.size() == 2);
      assertThat(logged()).contains("no answer in time");
    } finally {
      end.countDown();
    }
  }

  @Test
  void too_many_become_one_that_says_how_many() throws Exception {
    try (Receiver receiver = new Receiver();
        Notices notices = to(receiver.at("/"), Optional.empty(), SOON)) {
      for (int i = 0; i < 500; i++) {
        notices.tell(notice(i));
      }
      await().atMost(SOON).until(() -> receiver.got.size() == Outbox.MOST_AT_ONCE);
      now.set(START.plusSeconds(31));
      await().atMost(SOON).until(() -> receiver.got.size() == Outbox.MOST_AT_ONCE + 1);
      JsonNode sum = receiver.got.get(Outbox.MOST_AT_ONCE).json();
      assertThat(sum.path("kind").asString()).isEqualTo("suppressed");
      assertThat(sum.path("about").path("count").asLong()).isEqualTo(500L - Outbox.MOST_AT_ONCE);
      assertThat(sum.path("about").path("kinds").path("new-group").asLong())
          .isEqualTo(500L - Outbox.MOST_AT_ONCE);
      assertThat(lines.list).as("the log has all").hasSizeGreaterThanOrEqualTo(500);
    }
  }

  @Test
  void asked_to_come_back_at_once_it_waits_as_long_as_without_being_asked() throws Exception {
    Duration pause = Duration.ofSeconds(1);
    try (Receiver receiver = new Receiver();
        Notices notices =
            new Notices(
                Optional.of(
                    new Webhook(receiver.at("/"), Optional.empty(), "contrail/test", "", SOON)),
                () -> true,
                clock,
                attempts -> pause)) {
      receiver.next(
          exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "0");
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
          });
      long began = System.nanoTime();
      notices.tell(notice(1));
      await().atMost(SOON).until(() -> receiver.got.size() == 2);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(pause);
    }
  }

  @Test
  void what_waited_behind_others_for_half_an_hour_is_counted_and_not_sent() throws Exception {
    try (Receiver receiver = new Receiver();
        Notices notices =
            new Notices(
                Optional.of(
                    new Webhook(receiver.at("/"), Optional.empty(), "contrail/test", "", SOON)),
                () -> true,
                clock,
                attempts -> {
                  now.updateAndGet(it -> it.plus(Duration.ofMinutes(10)));
                  return Duration.ofMillis(10);
                })) {
      // At 0, 10, 20, 30 and 40 minutes.
      for (int i = 0; i < 5; i++) {
        receiver.next(Receiver.status(503));
      }
      notices.tell(notice(1));
      notices.tell(notice(2));
      notices.tell(notice(3));
      await().atMost(SOON).until(() -> receiver.got.size() >= 6);
      JsonNode sum = receiver.got.get(5).json();
      assertThat(sum.path("kind").asString()).isEqualTo("suppressed");
      assertThat(sum.path("about").path("count").asLong()).isEqualTo(3);
      assertThat(sum.path("about").path("since").asString()).isEqualTo(START.toString());
      notices.tell(notice(4));
      await().atMost(SOON).until(() -> receiver.got.size() == 7);
      assertThat(receiver.got.get(6).json().path("text").asString()).isEqualTo("Group 4");
    }
  }

  @Test
  void a_sum_that_nobody_took_is_told_with_the_next_one() throws Exception {
    try (Receiver receiver = new Receiver();
        Notices notices =
            new Notices(
                Optional.of(
                    new Webhook(receiver.at("/"), Optional.empty(), "contrail/test", "", SOON)),
                () -> true,
                clock,
                attempts -> {
                  now.updateAndGet(it -> it.plus(Duration.ofMinutes(40)));
                  return Duration.ofMillis(10);
                })) {
      // Twice the notice, and twice the sum.
      for (int i = 0; i < 4; i++) {
        receiver.next(Receiver.status(503));
      }
      notices.tell(notice(1));
      await().atMost(SOON).until(() -> receiver.got.size() == 5);
      JsonNode sum = receiver.got.get(4).json();
      assertThat(sum.path("about").path("count").asLong()).isEqualTo(1);
      assertThat(sum.path("about").path("kinds").path("new-group").asLong()).isEqualTo(1);
      assertThat(sum.path("about").path("since").asString()).isEqualTo(START.toString());
    }
  }

  @Test
  void of_several_processes_one_sends_and_another_takes_over() throws Exception {
    AtomicBoolean mine = new AtomicBoolean();
    try (Receiver receiver = new Receiver();
        Notices notices =
            new Notices(
                Optional.of(
                    new Webhook(receiver.at("/"), Optional.empty(), "contrail/test", "", SOON)),
                mine::get,
                clock,
                attempts -> Duration.ofMillis(10))) {
      notices.tell(notice(1));
      now.set(START.plusSeconds(90));
      notices.check();
      notices.tell(new Notice(NoticeKind.HELD, clock.instant(), "Held", Map.of(), "/workers"));
      assertThat(receiver.got).isEmpty();
      mine.set(true);
      notices.check();
      notices.check();
      notices.tell(notice(3));
      await().atMost(SOON).until(() -> receiver.got.size() == 2);
      assertThat(receiver.kinds())
          .as("the old one was told by another")
          .containsExactly("held", "new-group");
    }
  }
}
