package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.contrail.Delivery;
import dev.contrail.Header;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryIntent;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class HttpHandlerTest {
  private static final Instant NOW = Instant.parse("2026-11-06T08:49:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private record Seen(String method, Headers headers, ByteBuffer body) {}

  private interface Answer {
    void give(HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile Answer answer = exchange -> exchange.sendResponseHeaders(204, -1);

  HttpHandlerTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void start() {
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          seen.add(
              new Seen(
                  exchange.getRequestMethod(),
                  exchange.getRequestHeaders(),
                  ByteBuffer.wrap(body)));
          answer.give(exchange);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/orders");
  }

  private HttpHandler handler() {
    return new HttpHandler(url(), PATIENCE, InstantSource.fixed(NOW));
  }

  private ThrowingCallable posting() {
    return () -> handler().handle(Deliveries.of("payload"));
  }

  private void answers(int status, String body, Map<String, String> headers) {
    answer =
        exchange -> {
          headers.forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
          }
        };
  }

  private void waitForEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void the_payload_is_posted_byte_for_byte() throws Exception {
    byte[] payload = new byte[100_000];
    new Random(7).nextBytes(payload);
    handler().handle(Deliveries.of(payload));
    Seen request = seen.take();
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.body()).isEqualTo(ByteBuffer.wrap(payload));
  }

  @Test
  void the_message_is_described_in_headers() throws Exception {
    handler().handle(Deliveries.of(""));
    Headers headers = seen.take().headers();
    assertThat(headers.getFirst("Idempotency-Key")).isEqualTo("ORDERS.abc.42");
    assertThat(headers.getFirst("Contrail-Stream")).isEqualTo("ORDERS");
    assertThat(headers.getFirst("Contrail-Sequence")).isEqualTo("42");
    assertThat(headers.getFirst("Contrail-Subject")).isEqualTo("orders.new");
    assertThat(headers.getFirst("Contrail-Consumer")).isEqualTo("billing");
    assertThat(headers.getFirst("Contrail-Delivery")).isEqualTo("3");
    assertThat(headers.getFirst("Content-Type")).isEqualTo("application/octet-stream");
    assertThat(headers).doesNotContainKeys("Upgrade", "Authorization");
  }

  @Test
  void the_content_type_is_that_of_the_message_if_http_can_carry_it() throws Exception {
    handler().handle(Deliveries.with(new Header("Content-Type", "application/json")));
    assertThat(seen.take().headers().getFirst("Content-Type")).isEqualTo("application/json");
    handler().handle(Deliveries.with(new Header("Content-Type", "bad\r\nX: é")));
    assertThat(seen.take().headers().getFirst("Content-Type"))
        .isEqualTo("application/octet-stream");
  }

  @Test
  void a_subject_that_no_header_can_hold_is_encoded() throws Exception {
    handler().handle(Deliveries.on("städte.100%\r\nX: y"));
    assertThat(seen.take().headers().getFirst("Contrail-Subject"))
        .isEqualTo("st%C3%A4dte.100%25%0D%0AX:%20y");
  }

  @Test
  void credentials_in_the_url_are_sent() throws Exception {
    URI withUser = URI.create(url().toString().replace("http://", "http://ann:s3cret@"));
    new HttpHandler(withUser, PATIENCE, InstantSource.fixed(NOW)).handle(Deliveries.of(""));
    assertThat(seen.take().headers().getFirst("Authorization")).isEqualTo("Basic YW5uOnMzY3JldA==");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 299})
  void two_hundred_and_something_is_done(int status) {
    answers(status, status == 204 ? "" : "fine", Map.of());
    assertThatCode(posting()).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void busy_services_are_tried_again_when_they_say(int status) {
    answers(status, "later", Map.of("Retry-After", "17"));
    assertRetry(Optional.of(Duration.ofSeconds(17)));
    answers(status, "later", Map.of("Retry-After", "Fri, 06 Nov 2026 08:50:00 GMT"));
    assertRetry(Optional.of(Duration.ofMinutes(1)));
    answers(status, "later", Map.of("Retry-After", "Fri, 06 Nov 1998 08:50:00 GMT"));
    assertRetry(Optional.of(Duration.ZERO));
    answers(status, "later", Map.of("Retry-After", "whenever"));
    assertRetry(Optional.empty());
    answers(status, "later", Map.of());
    assertRetry(Optional.empty());
  }

  private void assertRetry(Optional<Duration> delay) {
    assertThatThrownBy(posting())
        .isInstanceOfSatisfying(
            RetryIntent.class, intent -> assertThat(intent.retryAfter()).isEqualTo(delay))
        .hasMessageEndingWith("later");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 409, 410, 415, 422, 499})
  void other_four_hundreds_reject(int status) {
    answers(status, "no such customer", Map.of("Retry-After", "17"));
    assertThatThrownBy(posting())
        .isInstanceOf(RejectedMessageException.class)
        .hasMessage("the service rejected the message (HTTP " + status + "): no such customer");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 307, 308, 408, 500, 501, 502, 504, 599})
  void redirects_timeouts_and_server_errors_are_unclassified(int status) {
    answers(status, "", Map.of("Location", "/elsewhere", "Retry-After", "17"));
    assertThatThrownBy(posting())
        .isInstanceOf(HandlerFailedException.class)
        .isNotInstanceOf(RetryIntent.class)
        .hasMessage("the service failed (HTTP " + status + ")");
    assertThat(seen).as("a redirect is not followed").hasSize(1);
  }

  @Test
  void the_beginning_of_a_long_body_is_the_evidence() {
    answers(500, "start " + "x".repeat(1_000_000), Map.of());
    assertThatThrownBy(posting())
        .satisfies(
            e ->
                assertThat(e.getMessage())
                    .contains("(HTTP 500): start xxx")
                    .hasSizeBetween(4000, 4200));
  }

  @Test
  void a_body_that_never_ends_does_not_hold_up_the_outcome() {
    answer =
        exchange -> {
          exchange.sendResponseHeaders(400, 0);
          exchange.getResponseBody().write("beginning".getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
          waitForEnd();
        };
    assertThatThrownBy(posting())
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageEndingWith("beginning");
  }

  @Test
  void done_is_done_before_the_body_comes() throws Exception {
    answer =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().flush();
          waitForEnd();
        };
    long start = System.nanoTime();
    handler().handle(Deliveries.of(""));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
  }

  @Test
  void a_body_that_breaks_off_does_not_change_the_outcome() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answered =
          CompletableFuture.runAsync(
              () ->
                  answerAndHangUp(
                      socket, "HTTP/1.1 422 Nope\r\nContent-Length: 100\r\n\r\nhalf a reason"));
      HttpHandler handler =
          new HttpHandler(
              URI.create("http://127.0.0.1:" + socket.getLocalPort()),
              PATIENCE,
              InstantSource.fixed(NOW));
      assertThatThrownBy(() -> handler.handle(Deliveries.of("x")))
          .isInstanceOf(RejectedMessageException.class)
          .hasMessageContaining("(HTTP 422)");
      answered.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void a_connection_that_breaks_before_the_answer_is_unclassified() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answered =
          CompletableFuture.runAsync(() -> answerAndHangUp(socket, ""));
      HttpHandler handler =
          new HttpHandler(
              URI.create("http://127.0.0.1:" + socket.getLocalPort()),
              PATIENCE,
              InstantSource.fixed(NOW));
      assertThatThrownBy(() -> handler.handle(Deliveries.of("x")))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the service gives no answer: ");
      answered.get(10, TimeUnit.SECONDS);
    }
  }

  private static void answerAndHangUp(ServerSocket socket, String text) {
    try (Socket connection = socket.accept()) {
      connection.getInputStream().read(new byte[4096]);
      connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      connection.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nobody_there_is_unclassified() {
    server.stop(0);
    assertThatThrownBy(posting())
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(RetryIntent.class)
        .hasMessageContaining("ConnectException");
  }

  @Test
  void an_answer_that_does_not_come_in_time_is_unclassified() {
    answer = exchange -> waitForEnd();
    HttpHandler impatient =
        new HttpHandler(url(), Duration.ofMillis(300), InstantSource.fixed(NOW));
    Delivery<byte[]> delivery = Deliveries.of("x");
    assertThatThrownBy(() -> impatient.handle(delivery))
        .isInstanceOf(IOException.class)
        .hasCauseInstanceOf(HttpTimeoutException.class);
  }

  @Test
  void an_interrupt_gives_the_request_up() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    answer =
        exchange -> {
          arrived.countDown();
          waitForEnd();
        };
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                handler().handle(Deliveries.of("x"));
                outcome.complete(new AssertionError("it was answered"));
              } catch (Exception e) {
                outcome.complete(e);
              }
            });
    thread.start();
    arrived.await();
    thread.interrupt();
    assertThat(outcome.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    await().until(() -> !thread.isAlive());
  }
}
