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

/** What the client calls the management of streams: questions that wait for their answer. */
public final class Management {
  private final SimulatedServer server;
  private final Gate gate;

  Management(SimulatedServer server, Gate gate) {
    this.server = server;
    this.gate = gate;
  }

  public StreamInfo getStreamInfo(String stream) throws IOException, JetStreamApiException {
    gate.pass();
    server.model();
    return new StreamInfo(parsed(server.api().streamInfo(stream, JsonValue.EMPTY_MAP)))
        .throwOnHasError();
  }

  public StreamInfo getStreamInfo(String stream, StreamInfoOptions options)
      throws IOException, JetStreamApiException {
    gate.pass();
    server.model();
    JsonValue request = options == null ? JsonValue.EMPTY_MAP : parsed(options.toJson());
    return new StreamInfo(parsed(server.api().streamInfo(stream, request))).throwOnHasError();
  }

  public List<ConsumerInfo> getConsumers(String stream) throws IOException, JetStreamApiException {
    gate.pass();
    List<ConsumerInfo> all = new ArrayList<>();
    for (String name : server.model().streamInfo(stream).orElseThrow().consumers()) {
      all.add(getConsumerInfo(stream, name));
    }
    return all;
  }

  public ConsumerInfo getConsumerInfo(String stream, String consumer)
      throws IOException, JetStreamApiException {
    gate.pass();
    server.model();
    return new ConsumerInfo(parsed(server.api().consumerInfo(stream, consumer))).throwOnHasError();
  }

  public ConsumerInfo addOrUpdateConsumer(String stream, ConsumerConfiguration wanted)
      throws IOException, JetStreamApiException {
    gate.pass();
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

  private static JsonValue parsed(String json) {
    return WireFormat.parse(json.getBytes(StandardCharsets.UTF_8));
  }
}
