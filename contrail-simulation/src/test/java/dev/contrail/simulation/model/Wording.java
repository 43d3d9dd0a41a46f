package dev.contrail.simulation.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nats.client.Message;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers of either side as the same text. */
final class Wording {
  private static final String CONSUMER =
      "delivered=%d/%s floor=%s ackPending=%d redelivered=%s pending=%s limits=%d,%d,%d created@%d";
  private static final String STREAM =
      "messages=%d first=%d last=%d subjects=%s deleted=%d consumers=%d created@%d";

  private Wording() {}

  static <T> String of(Answer<T> answer, Function<T, String> wording) {
    if (answer instanceof Answer.Ok<T> ok) {
      return wording.apply(ok.value());
    }
    if (answer instanceof Answer.Refused<T> refused) {
      return "refused " + refused.error().code();
    }
    return answer instanceof Answer.Silence ? "silence" : "no responders";
  }

  static String refusal(JsonValue json) {
    return "refused " + number(at(json, "error"), "err_code");
  }

  static String stream(StreamState state, Certainty certainty) {
    return STREAM.formatted(
        state.messages(),
        state.firstSequence(),
        state.lastSequence(),
        certainty.subjects(state.subjects()),
        state.deleted(),
        state.consumers().size(),
        Beat.of(state.createdNanos()));
  }

  static String stream(JsonValue json, ServerSide server) {
    JsonValue state = at(json, "state");
    return STREAM.formatted(
        number(state, "messages"),
        number(state, "first_seq"),
        number(state, "last_seq"),
        server.certainty.subjects(number(state, "num_subjects")),
        number(state, "num_deleted"),
        number(state, "consumer_count"),
        server.beat(text(json, "created")));
  }

  static String subjects(JsonValue json) {
    Map<String, Long> counts = new TreeMap<>();
    JsonValue subjects = at(json, "state").map.get("subjects");
    if (subjects != null && subjects.map != null) {
      subjects.map.forEach((subject, count) -> counts.put(subject, whole(count)));
    }
    return counts.toString();
  }

  static String consumer(ConsumerState state, Certainty certainty) {
    String name = state.settings().name();
    return CONSUMER.formatted(
        state.deliveredConsumer(),
        certainty.position(name, state.deliveredStream()),
        certainty.floor(name, state.ackFloorConsumer(), state.ackFloorStream()),
        state.ackPending(),
        certainty.redelivered(name, state.redelivered()),
        certainty.pending(state.pending()),
        state.settings().ackWait().toNanos(),
        state.settings().maxDeliver(),
        state.settings().maxAckPending(),
        Beat.of(state.createdNanos()));
  }

  static String consumer(JsonValue json, ServerSide server) {
    JsonValue delivered = at(json, "delivered");
    JsonValue floor = at(json, "ack_floor");
    JsonValue config = at(json, "config");
    String name = text(json, "name");
    Certainty certainty = server.certainty;
    return CONSUMER.formatted(
        number(delivered, "consumer_seq"),
        certainty.position(name, number(delivered, "stream_seq")),
        certainty.floor(name, number(floor, "consumer_seq"), number(floor, "stream_seq")),
        number(json, "num_ack_pending"),
        certainty.redelivered(name, number(json, "num_redelivered")),
        certainty.pending(number(json, "num_pending")),
        number(config, "ack_wait"),
        number(config, "max_deliver"),
        number(config, "max_ack_pending"),
        server.beat(text(json, "created")));
  }

  static String message(StoredMessage message) {
    return "#%d %s '%s' %s @%d"
        .formatted(
            message.sequence(),
            message.subject(),
            message.payload(),
            headers(message.headers()),
            Beat.of(message.nanos()));
  }

  static String message(JsonValue json, ServerSide server) {
    JsonValue message = at(json, "message");
    return "#%d %s '%s' %s @%d"
        .formatted(
            number(message, "seq"),
            text(message, "subject"),
            decoded(message, "data"),
            sorted(decoded(message, "hdrs")),
            server.beat(text(message, "time")));
  }

  private static String sorted(String headers) {
    List<String> lines =
        headers.lines().filter(line -> line.contains(":")).sorted().map(l -> l + ";").toList();
    return lines.isEmpty() ? "" : String.join("", lines) + ";";
  }

  private static String headers(List<Header> headers) {
    StringBuilder text = new StringBuilder();
    headers.stream()
        .sorted(Comparator.comparing(Header::name))
        .forEach(h -> text.append(h.name()).append(":").append(h.value()).append(';'));
    return headers.isEmpty() ? "" : text.append(';').toString();
  }

  static String delivery(ModelDelivery delivery, Certainty certainty) {
    return delivery(
        delivery.message().subject(),
        delivery.message().payload().text(),
        delivery.reply(),
        Beat.of(delivery.reply().nanos()),
        certainty);
  }

  static String delivery(Message message, ServerSide server) {
    AckSubject reply = AckSubject.parse(message.getReplyTo());
    return delivery(
        message.getSubject(),
        new String(message.getData(), UTF_8),
        reply,
        server.beat(reply.nanos()),
        server.certainty);
  }

  private static String delivery(
      String subject, String text, AckSubject reply, long beat, Certainty certainty) {
    return "#%d %s '%s' count=%d consumer=%s/%d pending=%s @%d"
        .formatted(
            reply.streamSequence(),
            subject,
            text,
            reply.deliveries(),
            reply.consumer(),
            reply.consumerSequence(),
            certainty.pending(reply.pending()),
            beat);
  }

  static String advisory(String json) {
    try {
      JsonValue advisory = JsonParser.parse(json);
      String type = text(advisory, "type");
      return "%s %s/%s #%d count=%d consumer#%d %s"
          .formatted(
              type.substring(type.lastIndexOf('.') + 1),
              text(advisory, "stream"),
              text(advisory, "consumer"),
              number(advisory, "stream_seq"),
              number(advisory, "deliveries"),
              number(advisory, "consumer_seq"),
              text(advisory, "reason"));
    } catch (JsonParseException e) {
      throw new IllegalStateException(json, e);
    }
  }

  static String decoded(JsonValue json, String field) {
    return new String(Base64.getDecoder().decode(text(json, field)), UTF_8);
  }

  static JsonValue at(JsonValue json, String field) {
    return Objects.requireNonNull(json.map.get(field), () -> field + " in " + json.toJson());
  }

  static long number(JsonValue json, String field) {
    return whole(json.map.get(field));
  }

  static String text(JsonValue json, String field) {
    JsonValue value = json.map.get(field);
    return value == null || value.string == null ? "" : value.string;
  }

  private static long whole(@Nullable JsonValue value) {
    return value == null || value.number == null ? 0 : value.number.longValue();
  }
}
