package dev.contrail.simulation.model;

import io.nats.client.support.JsonValue;

/** Requests about messages. */
final class MessageSteps {
  private MessageSteps() {}

  record Publish(Publication publication) implements Step {
    @Override
    public String onModel(ModelSide model) {
      if (isUncertain(model.certainty)) {
        return "left out";
      }
      return Wording.of(
          model.server.publish(publication),
          ack -> {
            if (ack.stream().equals("A")) {
              model.lastHeard = Math.max(model.lastHeard, ack.sequence());
            }
            return "stored " + ack.stream() + "#" + ack.sequence() + " " + ack.duplicate();
          });
    }

    @Override
    public void onServer(ServerSide server) {
      if (isUncertain(server.certainty)) {
        server.answer("left out");
        return;
      }
      server.publish(
          publication,
          message -> {
            if (message.isStatusMessage()) {
              server.answer("no responders");
              return;
            }
            JsonValue json = ServerSide.parse(message);
            JsonValue duplicate = json.map.get("duplicate");
            if (Wording.text(json, "stream").equals(server.stream("A"))) {
              server.lastHeard = Math.max(server.lastHeard, Wording.number(json, "seq"));
            }
            server.answer(
                json.map.containsKey("error")
                    ? Wording.refusal(json)
                    : "stored "
                        + Wording.text(json, "stream")
                        + "#"
                        + Wording.number(json, "seq")
                        + " "
                        + (duplicate != null && Boolean.TRUE.equals(duplicate.bool)));
          });
    }

    private boolean isUncertain(Certainty certainty) {
      return publication.expectedLastSubjectSequence().isPresent() && !certainty.knowsSubjects();
    }

    @Override
    public String toString() {
      return "Publish " + publication;
    }
  }

  record GetMessage(String stream, long sequence) implements Step {
    @Override
    public String onModel(ModelSide model) {
      return Wording.of(model.server.message(stream, sequence), Wording::message);
    }

    @Override
    public void onServer(ServerSide server) {
      get(server, stream, "{\"seq\":%d}".formatted(sequence));
    }
  }

  record GetLast(String stream, String filter) implements Step {
    @Override
    public String onModel(ModelSide model) {
      if (!model.certainty.knowsSubjects()) {
        return "left out";
      }
      return Wording.of(model.server.lastMessage(stream, filter), Wording::message);
    }

    @Override
    public void onServer(ServerSide server) {
      if (!server.certainty.knowsSubjects()) {
        server.answer("left out");
        return;
      }
      get(server, stream, "{\"last_by_subj\":\"%s\"}".formatted(server.subject(filter)));
    }
  }

  record GetNext(String stream, String filter, long sequence) implements Step {
    @Override
    public String onModel(ModelSide model) {
      return Wording.of(model.server.nextMessage(stream, filter, sequence), Wording::message);
    }

    @Override
    public void onServer(ServerSide server) {
      get(
          server,
          stream,
          "{\"seq\":%d,\"next_by_subj\":\"%s\"}".formatted(sequence, server.subject(filter)));
    }
  }

  private static void get(ServerSide server, String stream, String body) {
    server.api(
        "STREAM.MSG.GET." + server.stream(stream), body, json -> Wording.message(json, server));
  }

  record DeleteMessage(String stream, long sequence) implements Step {
    @Override
    public String onModel(ModelSide model) {
      return Wording.of(model.server.deleteMessage(stream, sequence), done -> "deleted");
    }

    @Override
    public void onServer(ServerSide server) {
      server.api(
          "STREAM.MSG.DELETE." + server.stream(stream),
          "{\"seq\":%d,\"no_erase\":true}".formatted(sequence),
          json -> "deleted");
    }
  }
}
