package dev.contrail.simulation.net;

import dev.contrail.simulation.model.ConsumerSettings;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.support.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls that wait for their answer. They are made on threads that do nothing else meanwhile, so
 * they take no time here; without a connection they fail at once.
 */
public final class Management {
  private final SimulatedConnection connection;
  private final SimulatedServer server;

  Management(SimulatedConnection connection, SimulatedServer server) {
    this.connection = connection;
    this.server = server;
  }

  public StreamInfo getStreamInfo(String stream) throws IOException, JetStreamApiException {
    requireThrough();
    server.model();
    return new StreamInfo(parsed(server.api().streamInfo(stream, JsonValue.EMPTY_MAP)))
        .throwOnHasError();
  }

  public StreamInfo getStreamInfo(String stream, StreamInfoOptions options)
      throws IOException, JetStreamApiException {
    requireThrough();
    server.model();
    JsonValue request = options == null ? JsonValue.EMPTY_MAP : parsed(options.toJson());
    return new StreamInfo(parsed(server.api().streamInfo(stream, request))).throwOnHasError();
  }

  public List<ConsumerInfo> getConsumers(String stream) throws IOException, JetStreamApiException {
    requireThrough();
    List<ConsumerInfo> all = new ArrayList<>();
    for (String name : server.model().streamInfo(stream).orElseThrow().consumers()) {
      all.add(getConsumerInfo(stream, name));
    }
    return all;
  }

  public ConsumerInfo getConsumerInfo(String stream, String consumer)
      throws IOException, JetStreamApiException {
    requireThrough();
    server.model();
    return new ConsumerInfo(parsed(server.api().consumerInfo(stream, consumer))).throwOnHasError();
  }

  public ConsumerInfo addOrUpdateConsumer(String stream, ConsumerConfiguration wanted)
      throws IOException, JetStreamApiException {
    requireThrough();
    server.model();
    List<String> filters = wanted.getFilterSubjects();
    ConsumerSettings settings =
        ConsumerSettings.of(
                wanted.getDurable(),
                filters == null ? new String[0] : filters.toArray(String[]::new))
            .withAckWait(wanted.getAckWait())
            .withMaxDeliver((int) wanted.getMaxDeliver())
            .withMaxAckPending((int) wanted.getMaxAckPending());
    String description = wanted.getDescription() == null ? "" : wanted.getDescription();
    ConsumerInfo made =
        new ConsumerInfo(parsed(server.api().saveConsumer(stream, settings, description)))
            .throwOnHasError();
    server.changed();
    return made;
  }

  private void requireThrough() throws IOException {
    if (!connection.process().isAlive() || !connection.isThrough()) {
      throw new IOException("Timeout or no response waiting for NATS JetStream server");
    }
  }

  private static JsonValue parsed(String json) {
    return WireFormat.parse(json.getBytes(StandardCharsets.UTF_8));
  }
}
