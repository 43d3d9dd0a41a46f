package dev.contrail.operations.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.jetstream.ContrailException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.ApiResponse;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * All streams, or all consumers of one, as a server lists them. Asked without the client's own
 * methods, which keep to themselves whom a cluster could not ask.
 *
 * @param missing the names of those that are there, and that nothing is known of at the moment
 */
record Listing<T>(List<T> known, Set<String> missing) {
  /** A cluster waits four seconds for a server that is away before it lists the rest. */
  private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(8);

  private static final int TRIES = 5;

  /**
   * What is asked for.
   *
   * @param request below the prefix of the API
   * @param field what the answer calls them
   */
  record Wanted<T>(
      String request, String field, Function<JsonValue, T> parser, Function<T, String> name) {}

  /** One answer of several. */
  private static final class Page extends ApiResponse<Page> {
    Page(Message message) {
      super(message);
    }

    JsonValue json() {
      return getJv();
    }
  }

  static <T> Listing<T> of(Connection connection, JetStreamOptions options, Wanted<T> wanted)
      throws IOException, JetStreamApiException {
    for (int i = 0; i < TRIES; i++) {
      Optional<Listing<T>> whole = ask(connection, options, wanted);
      if (whole.isPresent()) {
        return whole.get();
      }
    }
    throw new ContrailException(
        "The answers to "
            + wanted.request()
            + " do not fit together, since what they list changes all the time.");
  }

  /**
   * Each answer begins with the last one of the answer before. Where it does not, some that were
   * listed are gone, others have their places, and of those some may be in neither answer.
   */
  private static <T> Optional<Listing<T>> ask(
      Connection connection, JetStreamOptions options, Wanted<T> wanted)
      throws IOException, JetStreamApiException {
    Map<String, T> known = new LinkedHashMap<>();
    Set<String> missing = new TreeSet<>();
    Set<String> seen = new HashSet<>();
    for (long offset = 0; ; ) {
      JsonValue page = page(connection, options, wanted.request(), offset);
      Set<String> names = new HashSet<>(JsonValueUtils.readStringList(page, "missing"));
      missing.addAll(names);
      for (JsonValue one : JsonValueUtils.readArray(page, wanted.field())) {
        T parsed = wanted.parser().apply(one);
        known.put(wanted.name().apply(parsed), parsed);
        names.add(wanted.name().apply(parsed));
      }
      if (offset > 0 && Collections.disjoint(names, seen)) {
        return Optional.empty();
      }
      seen.addAll(names);
      long total = JsonValueUtils.readLong(page, "total", 0);
      long limit = JsonValueUtils.readLong(page, "limit", total);
      if (offset + limit >= total) {
        return Optional.of(new Listing<>(List.copyOf(known.values()), missing));
      }
      // Never none, or it would ask for ever.
      offset += Math.max(1, limit - 1);
    }
  }

  private static JsonValue page(
      Connection connection, JetStreamOptions options, String request, long offset)
      throws IOException, JetStreamApiException {
    try {
      Message answer =
          connection.request(
              options.getPrefix() + request,
              ("{\"offset\":" + offset + "}").getBytes(UTF_8),
              timeout(options));
      if (answer == null) {
        throw new IOException("no answer in time");
      }
      return new Page(answer).throwOnHasError().json();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static Duration timeout(JetStreamOptions options) {
    return Optional.ofNullable(options.getRequestTimeout())
        .filter(it -> it.compareTo(SHORTEST_TIMEOUT) > 0)
        .orElse(SHORTEST_TIMEOUT);
  }
}
