package dev.contrail.operations.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.ApiResponse;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The consumers of a stream as a server lists them. Asked without the client's own method, which
 * keeps to itself whom a cluster could not ask.
 *
 * @param missing the names of those that are there, and that nothing is known of at the moment
 */
record ConsumerList(List<ConsumerInfo> consumers, Set<String> missing) {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** One answer of several. */
  private static final class Page extends ApiResponse<Page> {
    Page(Message message) {
      super(message);
    }

    JsonValue json() {
      return getJv();
    }
  }

  static ConsumerList of(Connection connection, JetStreamOptions options, String stream)
      throws IOException, JetStreamApiException {
    List<ConsumerInfo> consumers = new ArrayList<>();
    Set<String> missing = new TreeSet<>();
    long offset = 0;
    long total;
    do {
      JsonValue page = page(connection, options, stream, offset);
      JsonValueUtils.readArray(page, "consumers").stream()
          .map(ConsumerInfo::new)
          .forEach(consumers::add);
      missing.addAll(JsonValueUtils.readStringList(page, "missing"));
      total = JsonValueUtils.readLong(page, "total", 0);
      // Never none, or it would ask for ever.
      offset += Math.max(1, JsonValueUtils.readLong(page, "limit", total));
    } while (offset < total);
    return new ConsumerList(consumers, missing);
  }

  private static JsonValue page(
      Connection connection, JetStreamOptions options, String stream, long offset)
      throws IOException, JetStreamApiException {
    try {
      Message answer =
          connection.request(
              options.getPrefix() + "CONSUMER.LIST." + stream,
              ("{\"offset\":" + offset + "}").getBytes(UTF_8),
              Optional.ofNullable(options.getRequestTimeout()).orElse(TIMEOUT));
      if (answer == null) {
        throw new IOException("no answer in time");
      }
      return new Page(answer).throwOnHasError().json();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
