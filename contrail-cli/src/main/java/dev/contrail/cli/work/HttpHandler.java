package dev.contrail.cli.work;

import dev.contrail.Delivery;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Posts each message to a URL. 2xx means done; 429 and 503 retry after {@code Retry-After}; 408,
 * redirects, other 5xx and broken connections are failures that say nothing about a retry; any
 * other 4xx dead-letters now. Interrupting the handler gives the request up.
 */
final class HttpHandler implements MessageHandler {
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
  private static final String ANY_BYTES = "application/octet-stream";

  private final URI url;
  private final Duration timeout;
  private final InstantSource clock;
  private final HttpClient client;

  /**
   * @param timeout how long an answer may take
   */
  HttpHandler(URI url, Duration timeout, InstantSource clock) {
    this.url = url;
    this.timeout = timeout;
    this.clock = clock;
    boolean plain = "http".equalsIgnoreCase(url.getScheme());
    this.client =
        HttpClient.newBuilder()
            // Without TLS, HTTP/2 starts with an upgrade that many small servers choke on.
            .version(plain ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(timeout.compareTo(LONGEST_CONNECT) < 0 ? timeout : LONGEST_CONNECT)
            .build();
  }

  @Override
  public void handle(Delivery<byte[]> delivery) throws IOException, InterruptedException {
    Optional<RuntimeException> failure = post(delivery).failure();
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  @Override
  public void close() {
    // Requests end with the handlers that wait for them.
  }

  private HttpAnswer post(Delivery<byte[]> delivery) throws IOException, InterruptedException {
    Begun answer = send(request(delivery));
    Instant now = clock.instant();
    return new HttpAnswer(
        answer.head().statusCode(),
        answer
            .head()
            .headers()
            .firstValue("Retry-After")
            .flatMap(value -> RetryAfterHeader.parse(value, now)),
        answer.body().text());
  }

  /** An answer whose status is known, and as much of its body as came. */
  private record Begun(ResponseInfo head, BodyStart body) {}

  private Begun send(HttpRequest request) throws IOException, InterruptedException {
    AtomicReference<Begun> begun = new AtomicReference<>();
    try {
      client.send(
          request,
          head -> {
            BodyStart body = new BodyStart(!HttpAnswer.isDone(head.statusCode()));
            begun.set(new Begun(head, body));
            return body;
          });
    } catch (IOException e) {
      // The client may report the broken body before the answer: the status decides all the same.
      if (begun.get() == null) {
        // Many of these have no message; the evidence should say more than nothing.
        throw new IOException("the service gives no answer: " + e, e);
      }
    }
    return Objects.requireNonNull(begun.get());
  }

  private HttpRequest request(Delivery<byte[]> delivery) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .timeout(timeout)
            .header("Content-Type", contentType(delivery))
            .header("Idempotency-Key", HeaderValue.of(delivery.idempotencyKey()))
            .header("Contrail-Stream", HeaderValue.of(delivery.stream()))
            .header("Contrail-Sequence", Long.toString(delivery.sequence()))
            .header("Contrail-Subject", HeaderValue.of(delivery.subject()))
            .header("Contrail-Consumer", HeaderValue.of(delivery.consumer()))
            .header("Contrail-Delivery", Long.toString(delivery.deliveryCount()))
            .POST(BodyPublishers.ofByteArray(delivery.data()));
    basicAuthorization().ifPresent(value -> request.header("Authorization", value));
    return request.build();
  }

  private Optional<String> basicAuthorization() {
    return Optional.ofNullable(url.getUserInfo())
        .map(user -> user.getBytes(StandardCharsets.UTF_8))
        .map(user -> "Basic " + Base64.getEncoder().encodeToString(user));
  }

  private static String contentType(Delivery<byte[]> delivery) {
    return delivery
        .headers()
        .first("Content-Type")
        .map(String::strip)
        .filter(type -> !type.isEmpty() && HeaderValue.isPlain(type))
        .orElse(ANY_BYTES);
  }
}
