package dev.contrail.simulation.model;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Requests about consumers and deliveries. */
final class ConsumerSteps {
  private ConsumerSteps() {}

  /** Begins no further than right after what the stream was heard to have. */
  record CreateConsumer(String stream, ConsumerSettings settings) implements Step {
    @Override
    public String onModel(ModelSide model) {
      ConsumerSettings bounded =
          settings.startSequence() > 0 ? settings.fromSequence(start(model.lastHeard)) : settings;
      return Wording.of(
          model.server.createConsumer(stream, bounded),
          state -> Wording.consumer(state, model.certainty));
    }

    @Override
    public void onServer(ServerSide server) {
      String body =
          """
          {"stream_name":"%s","config":{"name":"%s","durable_name":"%s","ack_policy":"explicit",\
          "deliver_policy":"%s",%s%s"ack_wait":%d,"max_deliver":%d,"max_ack_pending":%d}}"""
              .formatted(
                  server.stream(stream),
                  settings.name(),
                  settings.name(),
                  settings.deliverPolicy().name().toLowerCase(Locale.ROOT),
                  settings.startSequence() > 0
                      ? "\"opt_start_seq\":" + start(server.lastHeard) + ","
                      : "",
                  filters(server),
                  settings.ackWait().toNanos(),
                  settings.maxDeliver(),
                  settings.maxAckPending());
      server.api(
          "CONSUMER.DURABLE.CREATE." + server.stream(stream) + "." + settings.name(),
          body,
          json -> Wording.consumer(json, server));
    }

    private long start(long last) {
      return Math.min(settings.startSequence(), last + 1);
    }

    private String filters(ServerSide server) {
      List<String> quoted =
          settings.filters().stream().map(f -> '"' + server.subject(f) + '"').toList();
      if (quoted.isEmpty()) {
        return "";
      }
      return quoted.size() == 1
          ? "\"filter_subject\":" + quoted.get(0) + ","
          : "\"filter_subjects\":[" + quoted.stream().collect(joining(",")) + "],";
    }
  }

  record DeleteConsumer(String stream, String consumer) implements Step {
    @Override
    public String onModel(ModelSide model) {
      return Wording.of(model.server.deleteConsumer(stream, consumer), done -> "deleted");
    }

    @Override
    public void onServer(ServerSide server) {
      server.api(
          "CONSUMER.DELETE." + server.stream(stream) + "." + consumer, "", json -> "deleted");
    }
  }

  record ConsumerInfo(String stream, String consumer) implements Step {
    @Override
    public String onModel(ModelSide model) {
      return Wording.of(
          model.server.consumerInfo(stream, consumer),
          state -> Wording.consumer(state, model.certainty));
    }

    @Override
    public void onServer(ServerSide server) {
      server.api(
          "CONSUMER.INFO." + server.stream(stream) + "." + consumer,
          "",
          json -> Wording.consumer(json, server));
    }
  }

  /** On the real server a pull that waits a moment, since only such a one always has an end. */
  record Pull(String stream, String consumer, int batch) implements Step {
    private static final long WAIT_NANOS = 60_000_000;

    @Override
    public String onModel(ModelSide model) {
      return Wording.of(
          model.server.pull(stream, consumer, batch),
          deliveries -> {
            deliveries.forEach(delivery -> model.deliveries.add(delivery.reply()));
            model.certainty.pulled(consumer, deliveries.size(), batch);
            return deliveries.stream()
                .map(delivery -> Wording.delivery(delivery, model.certainty))
                .toList()
                .toString();
          });
    }

    @Override
    public void onServer(ServerSide server) {
      List<String> deliveries = new ArrayList<>();
      server.askInVain(
          "$JS.API.CONSUMER.MSG.NEXT." + server.stream(stream) + "." + consumer,
          "{\"batch\":%d,\"expires\":%d}".formatted(batch, WAIT_NANOS),
          message -> {
            if (message.isStatusMessage()) {
              int code = message.getStatus().getCode();
              if (code == 408) {
                server.certainty.pulled(consumer, deliveries.size(), batch);
              }
              server.answer(
                  switch (code) {
                    case 408 -> deliveries.toString();
                    case 503 -> "no responders";
                    default -> deliveries + " then " + message.getStatus();
                  });
              return;
            }
            server.delivered(AckSubject.parse(message.getReplyTo()));
            deliveries.add(Wording.delivery(message, server));
            if (deliveries.size() == batch) {
              server.answer(deliveries.toString());
            }
          },
          () -> tellSilence(server, stream, consumer));
    }
  }

  /** A server that is slow forgets pulls whose time is up; only a missing consumer is silence. */
  private static void tellSilence(ServerSide server, String stream, String consumer) {
    server.ask(
        "$JS.API.CONSUMER.INFO." + server.stream(stream) + "." + consumer,
        "",
        message -> {
          if (ServerSide.parse(message).map.containsKey("error")) {
            server.answer("silence");
          } else {
            server.late();
          }
        });
  }

  /** An acknowledgement of one of the deliveries so far, counted back from the last. */
  record Acknowledge(int back, Acknowledgement acknowledgement) implements Step {
    @Override
    public String onModel(ModelSide model) {
      Optional<AckSubject> reply = model.delivery(back);
      return reply.isEmpty()
          ? "nothing"
          : reply.get().consumer()
              + "#"
              + reply.get().streamSequence()
              + " "
              + model.server.acknowledge(reply.get(), acknowledgement);
    }

    @Override
    public void onServer(ServerSide server) {
      Optional<AckSubject> reply = server.delivery(back);
      if (reply.isEmpty()) {
        server.answer("nothing");
      } else {
        String name = reply.get().consumer() + "#" + reply.get().streamSequence() + " ";
        send(server, reply.get(), acknowledgement, name);
      }
    }

    @Override
    public String kind() {
      return kindOf(acknowledgement);
    }
  }

  /**
   * An acknowledgement with a reply subject that no delivery had. For old servers, which act on
   * acks of what they never delivered, the message and the consumer are those of a delivery.
   */
  record AcknowledgeMadeUp(AckSubject reply, Acknowledgement acknowledgement) implements Step {
    @Override
    public String onModel(ModelSide model) {
      return subject(model.certainty, model.lastHeard, model.delivery((int) reply.deliveries()))
          .map(subject -> model.server.acknowledge(subject, acknowledgement).toString())
          .orElse("nothing");
    }

    @Override
    public void onServer(ServerSide server) {
      Optional<AckSubject> subject =
          subject(server.certainty, server.lastHeard, server.delivery((int) reply.deliveries()));
      if (subject.isEmpty()) {
        server.answer("nothing");
      } else {
        send(server, subject.get().in(server.stream(reply.stream())), acknowledgement, "");
      }
    }

    /** What is sent, if the server can be held to an answer. */
    Optional<AckSubject> subject(Certainty certainty, long last, Optional<AckSubject> delivered) {
      if (certainty.takesAnyAck()) {
        return acknowledgement instanceof Acknowledgement.Nak
            ? Optional.empty()
            : delivered.map(each -> with(each.consumer(), each.streamSequence()));
      }
      return last == 0 || !certainty.knowsPosition(reply.consumer())
          ? Optional.empty()
          : Optional.of(with(reply.consumer(), Math.min(reply.streamSequence(), last)));
    }

    private AckSubject with(String consumer, long sequence) {
      return new AckSubject(
          reply.stream(),
          consumer,
          reply.deliveries(),
          sequence,
          reply.consumerSequence(),
          reply.nanos(),
          reply.pending());
    }

    @Override
    public String kind() {
      return "made up " + kindOf(acknowledgement);
    }
  }

  private static void send(
      ServerSide server, AckSubject reply, Acknowledgement acknowledgement, String name) {
    server.askInVain(
        reply.toString(),
        onTheWire(acknowledgement),
        message ->
            server.answer(
                name + (message.isStatusMessage() ? AckAnswer.NO_RESPONDERS : AckAnswer.CONFIRMED)),
        () -> server.answer(name + AckAnswer.SILENCE));
  }

  private static String kindOf(Acknowledgement acknowledgement) {
    String wire = onTheWire(acknowledgement);
    return wire.contains("delay") ? "-NAK delay" : wire;
  }

  static String onTheWire(Acknowledgement acknowledgement) {
    if (acknowledgement instanceof Acknowledgement.Nak nak) {
      return nak.delay().isZero() ? "-NAK" : "-NAK {\"delay\":" + nak.delay().toNanos() + "}";
    }
    if (acknowledgement instanceof Acknowledgement.Term term) {
      return term.reason().isEmpty() ? "+TERM" : "+TERM " + term.reason();
    }
    return acknowledgement instanceof Acknowledgement.InProgress ? "+WPI" : "+ACK";
  }
}
