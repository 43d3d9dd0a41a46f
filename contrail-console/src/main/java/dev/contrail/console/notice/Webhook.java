package dev.contrail.console.notice;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.console.web.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Posts a notice to a URL. A redirect is not followed: it would carry the notice, and what signs
 * it, to wherever the answer says.
 */
final class Webhook {
  private static final int VERSION = 1;
  private static final String HMAC = "HmacSHA256";
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final int OK = 200;
  private static final int NOT_OK = 300;

  /** What became of an attempt. */
  enum Outcome {
    DELIVERED,
    /** Whoever is there may take it later. */
    LATER,
    /** They never will. */
    REFUSED
  }

  /**
   * An answer.
   *
   * @param why in a few words, without anything that the other side wrote
   * @param waitSeconds how long they ask to wait
   */
  record Answer(Outcome outcome, String why, OptionalLong waitSeconds) {}

  private final URI url;
  private final Optional<String> credentials;
  private final Optional<String> secret;
  private final String program;
  private final String server;
  private final Duration atMost;
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .version(HttpClient.Version.HTTP_1_1)
          .build();

  /**
   * To a URL.
   *
   * @param server the NATS server for people to read, without passwords
   * @param atMost how long an attempt may take, the whole answer read
   */
  Webhook(URI url, Optional<String> secret, String program, String server, Duration atMost) {
    this.url = withoutCredentials(url);
    this.credentials = Optional.ofNullable(url.getUserInfo());
    this.secret = secret;
    this.program = program;
    this.server = server;
    this.atMost = atMost;
  }

  private static URI withoutCredentials(URI url) {
    try {
      String raw = url.toString();
      String user = url.getRawUserInfo();
      return user == null
          ? url
          : new URI(raw.replaceFirst("//" + java.util.regex.Pattern.quote(user) + "@", "//"));
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("the URL cannot be used", e);
    }
  }

  String place() {
    return NoticeSettings.shown(url);
  }

  /** What is sent. */
  String body(String id, Notice notice) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("version", VERSION);
    body.put("id", id);
    body.put("kind", notice.kind().text());
    body.put("at", notice.at().toString());
    body.put("text", notice.text());
    body.put("server", server);
    body.put("path", notice.path());
    body.put("about", notice.about());
    return Json.text(body);
  }

  /** Sends it once. Takes no longer than it may. */
  Answer send(String id, Notice notice, Instant now) throws InterruptedException {
    String body = body(id, notice);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .timeout(atMost)
            .header("Content-Type", "application/json; charset=utf-8")
            .header("User-Agent", program)
            .header("Contrail-Notice", notice.kind().text())
            .header("Contrail-Notice-Id", id)
            .POST(BodyPublishers.ofString(body));
    credentials.ifPresent(
        it ->
            request.header(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString(it.getBytes(UTF_8))));
    secret.ifPresent(
        it -> request.header("Contrail-Signature", signature(it, now.getEpochSecond(), body)));
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request.build(), BodyHandlers.discarding());
    try {
      // The client's own time ends with the headers of the answer, and its body may drip for ever.
      return judge(answer.get(atMost.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return new Answer(Outcome.LATER, "no answer in time", OptionalLong.empty());
    } catch (ExecutionException e) {
      return new Answer(Outcome.LATER, inWords(e.getCause()), OptionalLong.empty());
    } finally {
      answer.cancel(true);
    }
  }

  /** The time is signed too, so that what was sent once cannot be sent again much later. */
  static String signature(String secret, long seconds, String body) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), HMAC));
      byte[] sum = mac.doFinal((seconds + "." + body).getBytes(UTF_8));
      return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(sum);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(HMAC + " is missing from this JVM", e);
    }
  }

  private static Answer judge(HttpResponse<Void> response) {
    int status = response.statusCode();
    if (status >= OK && status < NOT_OK) {
      return new Answer(Outcome.DELIVERED, "", OptionalLong.empty());
    }
    boolean later = status >= 500 || status == 408 || status == 425 || status == 429;
    return new Answer(
        later ? Outcome.LATER : Outcome.REFUSED,
        "it answers " + status,
        later ? waitSeconds(response) : OptionalLong.empty());
  }

  private static OptionalLong waitSeconds(HttpResponse<Void> response) {
    return response
        .headers()
        .firstValue("Retry-After")
        .filter(text -> text.matches("\\d{1,6}"))
        .map(text -> OptionalLong.of(Long.parseLong(text)))
        .orElse(OptionalLong.empty());
  }

  /** By the kind of failure alone: messages of exceptions may quote the URL. */
  private static String inWords(@Nullable Throwable failure) {
    return failure == null ? "it failed" : failure.getClass().getSimpleName();
  }
}
