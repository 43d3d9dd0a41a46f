package dev.contrail.operations.doctor;

import dev.contrail.jetstream.ContrailException;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A server's monitoring pages, which tell what JetStream does not. */
public final class Monitoring {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int OK = 200;

  private Monitoring() {}

  /**
   * How long after a write the server syncs its disk; zero: at once. Empty from servers that do not
   * tell, as those before 2.10 do not.
   *
   * @param page such as {@code http://127.0.0.1:8222}
   * @throws ContrailException when the page cannot be read
   */
  public static Optional<Duration> syncInterval(URI page) throws InterruptedException {
    String text = read(page.resolve("/varz"));
    try {
      JsonValue jetStream = member(JsonParser.parse(text), "jetstream");
      JsonValue config = member(jetStream, "config");
      if (Boolean.TRUE.equals(member(config, "sync_always").bool)) {
        return Optional.of(Duration.ZERO);
      }
      Number nanos = member(config, "sync_interval").number;
      return Optional.ofNullable(nanos).map(it -> Duration.ofNanos(it.longValue()));
    } catch (JsonParseException e) {
      throw new ContrailException(
          "The page " + page.resolve("/varz") + " is not one of a nats-server.", e);
    }
  }

  private static JsonValue member(JsonValue object, String name) {
    Map<String, JsonValue> members = object.map;
    return members == null ? JsonValue.NULL : members.getOrDefault(name, JsonValue.NULL);
  }

  private static String read(URI page) throws InterruptedException {
    HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    try {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(page).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != OK) {
        throw new ContrailException(
            "The page " + page + " answers with status " + answer.statusCode() + ".");
      }
      return answer.body();
    } catch (IOException e) {
      throw new ContrailException("The page " + page + " cannot be read: " + e.getMessage(), e);
    }
  }
}
