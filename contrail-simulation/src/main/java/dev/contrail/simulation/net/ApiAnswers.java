package dev.contrail.simulation.net;

import dev.contrail.simulation.model.Acknowledgement;
import dev.contrail.simulation.model.Answer;
import dev.contrail.simulation.model.ConsumerSettings;
import dev.contrail.simulation.model.ConsumerState;
import dev.contrail.simulation.model.ModelServer;
import dev.contrail.simulation.model.Purge;
import dev.contrail.simulation.model.StreamSettings;
import dev.contrail.simulation.model.StreamState;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the server's API answers, as JSON. */
final class ApiAnswers {
  private final ModelServer model;
  private final int hiddenLimit;
  private final Map<String, String> descriptions = new HashMap<>();

  /**
   * Of that server.
   *
   * @param hiddenLimit after how many deliveries consumers give up without saying so, if positive
   */
  ApiAnswers(ModelServer model, int hiddenLimit) {
    this.model = model;
    this.hiddenLimit = hiddenLimit;
  }

  boolean hasConsumer(String streamAndName) {
    int dot = streamAndName.indexOf('.');
    return model.consumerInfo(streamAndName.substring(0, dot), streamAndName.substring(dot + 1))
        instanceof Answer.Ok<ConsumerState>;
  }

  String answer(String call, byte[] body) {
    String[] tokens = call.split("\\.", -1);
    JsonValue request = WireFormat.parse(body);
    String kind = tokens[0] + "." + tokens[1];
    return switch (kind) {
      case "STREAM.MSG" -> message(tokens[2], tokens[3], request);
      case "STREAM.INFO" -> streamInfo(tokens[2], request);
      case "STREAM.PURGE" -> purge(tokens[2], request);
      case "STREAM.LIST" -> list("streams", model.streamNames(), it -> streamInfo(it, request));
      case "CONSUMER.INFO" -> consumerInfo(tokens[2], tokens[3]);
      case "CONSUMER.LIST" ->
          said(
              model.streamInfo(tokens[2]),
              state -> list("consumers", state.consumers(), it -> consumerInfo(tokens[2], it)));
      default -> throw new UnsupportedOperationException("the simulation does not know " + call);
    };
  }

  static Acknowledgement acknowledgement(String word) {
    if (word.equals("+ACK")) {
      return Acknowledgement.ack();
    }
    if (word.equals("+WPI")) {
      return Acknowledgement.inProgress();
    }
    if (word.equals("-NAK")) {
      return Acknowledgement.nak();
    }
    if (word.startsWith("-NAK ")) {
      JsonValue delay =
          WireFormat.parse(word.substring(5).getBytes(java.nio.charset.StandardCharsets.UTF_8));
      return Acknowledgement.nak(Duration.ofNanos(JsonValueUtils.readLong(delay, "delay", 0)));
    }
    if (word.startsWith("+TERM")) {
      return Acknowledgement.term(word.substring(5).strip());
    }
    throw new IllegalArgumentException("no acknowledgement: " + word);
  }

  /** The sequence that a request is about. */
  static long sequence(byte[] request) {
    return JsonValueUtils.readLong(WireFormat.parse(request), "seq", 0);
  }

  private String message(String what, String stream, JsonValue request) {
    long sequence = JsonValueUtils.readLong(request, "seq", 0);
    if (what.equals("DELETE")) {
      return said(model.deleteMessage(stream, sequence), done -> "{\"success\":true}");
    }
    @Nullable String last = JsonValueUtils.readString(request, "last_by_subj");
    @Nullable String next = JsonValueUtils.readString(request, "next_by_subj");
    return said(
        last != null
            ? model.lastMessage(stream, last)
            : next != null
                ? model.nextMessage(stream, next, sequence)
                : model.message(stream, sequence),
        WireFormat::message);
  }

  private String purge(String stream, JsonValue request) {
    String filter = JsonValueUtils.readString(request, "filter", ">");
    return said(
        model.purge(
            stream, Purge.subject(filter).before(JsonValueUtils.readLong(request, "seq", 0))),
        purged -> "{\"success\":true,\"purged\":" + purged + "}");
  }

  String streamInfo(String stream, JsonValue request) {
    @Nullable String filter = JsonValueUtils.readString(request, "subjects_filter");
    return said(
        model.streamInfo(stream),
        state ->
            stream(
                state,
                (filter == null ? "" : subjects(stream, filter))
                    + (JsonValueUtils.readBoolean(request, "deleted_details")
                        ? ",\"deleted\":" + model.deleted(stream).orElseThrow()
                        : "")));
  }

  private static String list(String field, List<String> names, Function<String, String> each) {
    return names.stream()
        .map(each)
        .collect(
            Collectors.joining(
                ",", "{\"total\":" + names.size() + ",\"offset\":0,\"" + field + "\":[", "]}"));
  }

  private String subjects(String stream, String filter) {
    SortedMap<String, Long> found = model.subjects(stream, filter).orElseThrow();
    return found.entrySet().stream()
        .map(each -> WireFormat.quoted(each.getKey()) + ":" + each.getValue())
        .collect(Collectors.joining(",", ",\"subjects\":{", "}"));
  }

  private static String stream(StreamState state, String details) {
    StreamSettings settings = state.settings();
    return "{\"config\":{\"name\":\""
        + settings.name()
        + "\",\"subjects\":["
        + settings.subjects().stream().map(WireFormat::quoted).collect(Collectors.joining(","))
        + "],\"retention\":\""
        + settings.retention().name().toLowerCase(Locale.ROOT)
        + "\",\"storage\":\""
        + settings.storage().name().toLowerCase(Locale.ROOT)
        + "\",\"discard\":\""
        + settings.discard().name().toLowerCase(Locale.ROOT)
        + "\",\"num_replicas\":1,\"max_age\":"
        + settings.maxAge().toNanos()
        + ",\"max_msgs\":-1,\"max_bytes\":-1,\"max_consumers\":-1,\"max_msgs_per_subject\":-1"
        + ",\"max_msg_size\":-1,\"duplicate_window\":"
        + settings.duplicateWindow().toNanos()
        + "},\"created\":\""
        + WireFormat.time(state.createdNanos())
        + "\",\"state\":{\"messages\":"
        + state.messages()
        + ",\"bytes\":0,\"first_seq\":"
        + state.firstSequence()
        + ",\"first_ts\":\""
        + WireFormat.time(state.firstNanos())
        + "\",\"last_seq\":"
        + state.lastSequence()
        + ",\"last_ts\":\""
        + WireFormat.time(state.lastNanos())
        + "\",\"num_subjects\":"
        + state.subjects()
        + ",\"num_deleted\":"
        + state.deleted()
        + ",\"consumer_count\":"
        + state.consumers().size()
        + details
        + "}}";
  }

  String consumerInfo(String stream, String name) {
    return said(model.consumerInfo(stream, name), state -> consumer(stream, state));
  }

  /** Makes it, or changes it. */
  String saveConsumer(String stream, ConsumerSettings settings, String description) {
    descriptions.put(stream + "." + settings.name(), description);
    ConsumerSettings made = hiddenLimit > 0 ? settings.withMaxDeliver(hiddenLimit) : settings;
    return said(model.createConsumer(stream, made), state -> consumer(stream, state));
  }

  private String consumer(String stream, ConsumerState state) {
    ConsumerSettings settings = state.settings();
    return "{\"stream_name\":\""
        + stream
        + "\",\"name\":\""
        + settings.name()
        + "\",\"created\":\""
        + WireFormat.time(state.createdNanos())
        + "\",\"config\":{\"durable_name\":\""
        + settings.name()
        + "\",\"description\":"
        + WireFormat.quoted(descriptions.getOrDefault(stream + "." + settings.name(), ""))
        + ",\"deliver_policy\":\"all\",\"ack_policy\":\"explicit\",\"replay_policy\":\"instant\""
        + ",\"ack_wait\":"
        + settings.ackWait().toNanos()
        + ",\"max_deliver\":"
        + (hiddenLimit > 0 ? -1 : settings.maxDeliver())
        + ",\"max_ack_pending\":"
        + settings.maxAckPending()
        + (settings.filters().isEmpty()
            ? ""
            : ",\"filter_subject\":" + WireFormat.quoted(settings.filters().get(0)))
        + ",\"max_waiting\":512,\"num_replicas\":0},\"delivered\":{\"consumer_seq\":"
        + state.deliveredConsumer()
        + ",\"stream_seq\":"
        + state.deliveredStream()
        + "},\"ack_floor\":{\"consumer_seq\":"
        + state.ackFloorConsumer()
        + ",\"stream_seq\":"
        + state.ackFloorStream()
        + "},\"num_ack_pending\":"
        + state.ackPending()
        + ",\"num_redelivered\":"
        + state.redelivered()
        + ",\"num_waiting\":0,\"num_pending\":"
        + state.pending()
        + ",\"ts\":\""
        + WireFormat.time(model.now())
        + "\"}";
  }

  private static <T> String said(Answer<T> answer, Function<T, String> wording) {
    if (answer instanceof Answer.Ok<T> ok) {
      return wording.apply(ok.value());
    }
    if (answer instanceof Answer.Refused<T> refused) {
      return WireFormat.error(refused.error());
    }
    throw new IllegalStateException("the API always answers, but said " + answer);
  }
}
