package dev.contrail.simulation.model;

import static java.util.stream.Collectors.joining;

import io.nats.client.support.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Requests about streams. */
final class StreamSteps {
  private StreamSteps() {}

  record CreateStream(StreamSettings settings) implements Step {
    @Override
    public String onModel(ModelSide model) {
      return Wording.of(
          model.server.createStream(settings), state -> Wording.stream(state, model.certainty));
    }

    @Override
    public void onServer(ServerSide server) {
      String body =
          """
          {"name":"%s","subjects":[%s],"retention":"%s","discard":"%s","max_msgs":%d,\
          "max_msgs_per_subject":%d,"max_msg_size":%d,"max_age":%d,"duplicate_window":%d,\
          "discard_new_per_subject":%s,"storage":"%s","num_replicas":1}"""
              .formatted(
                  server.stream(settings.name()),
                  settings.subjects().stream()
                      .map(subject -> '"' + server.subject(subject) + '"')
                      .collect(joining(",")),
                  settings.retention().name().toLowerCase(Locale.ROOT),
                  settings.discard().name().toLowerCase(Locale.ROOT),
                  limit(settings.maxMessages()),
                  limit(settings.maxMessagesPerSubject()),
                  limit(settings.maxMessageSize()),
                  settings.maxAge().toNanos(),
                  settings.duplicateWindow().toNanos(),
                  settings.discardNewPerSubject(),
                  settings.storage().name().toLowerCase(Locale.ROOT));
      server.api(
          "STREAM.CREATE." + server.stream(settings.name()),
          body,
          json -> Wording.stream(json, server));
    }

    private static long limit(long limit) {
      return limit == 0 ? -1 : limit;
    }
  }

  record DeleteStream(String stream) implements Step {
    @Override
    public String onModel(ModelSide model) {
      if (stream.equals("A")) {
        model.lastHeard = 0;
      }
      return Wording.of(model.server.deleteStream(stream), done -> "deleted");
    }

    @Override
    public void onServer(ServerSide server) {
      if (stream.equals("A")) {
        server.lastHeard = 0;
      }
      server.api("STREAM.DELETE." + server.stream(stream), "", json -> "deleted");
    }
  }

  record StreamInfo(String stream) implements Step {
    @Override
    public String onModel(ModelSide model) {
      return Wording.of(
          model.server.streamInfo(stream), state -> Wording.stream(state, model.certainty));
    }

    @Override
    public void onServer(ServerSide server) {
      server.api("STREAM.INFO." + server.stream(stream), "", json -> Wording.stream(json, server));
    }
  }

  record CountSubjects(String stream, String filter) implements Step {
    @Override
    public String onModel(ModelSide model) {
      return Wording.of(model.server.subjects(stream, filter), model.certainty::subjects);
    }

    @Override
    public void onServer(ServerSide server) {
      server.api(
          "STREAM.INFO." + server.stream(stream),
          "{\"subjects_filter\":\"%s\"}".formatted(server.subject(filter)),
          json -> server.certainty.subjects(Wording.subjects(json)));
    }
  }

  /**
   * Purges no further than the stream was heard to go.
   *
   * @param limited whether it has a limit for each subject: then not by the last sequence, since
   *     the memory store of old servers goes on to count what was purged so
   */
  record PurgeStream(String stream, Purge purge, boolean limited) implements Step {
    @Override
    public String onModel(ModelSide model) {
      Purge bounded = new Purge(purge.filter(), before(model.lastHeard), purge.keep());
      return Wording.of(model.server.purge(stream, bounded), purged -> "purged " + purged);
    }

    @Override
    public void onServer(ServerSide server) {
      List<String> fields = new ArrayList<>();
      purge.filter().ifPresent(f -> fields.add("\"filter\":\"" + server.subject(f) + '"'));
      if (purge.before() > 0) {
        fields.add("\"seq\":" + before(server.lastHeard));
      }
      if (purge.keep() > 0) {
        fields.add("\"keep\":" + purge.keep());
      }
      server.api(
          "STREAM.PURGE." + server.stream(stream),
          "{" + String.join(",", fields) + "}",
          json -> "purged " + Wording.number(json, "purged"));
    }

    private long before(long last) {
      return Math.min(purge.before(), limited ? last : last + 1);
    }

    @Override
    public String kind() {
      return "Purge"
          + (purge.filter().isPresent() ? " subject" : " all")
          + (purge.before() > 0 ? " before" : "")
          + (purge.keep() > 0 ? " keep" : "");
    }
  }

  /** All that a stream of advisories has, in the order of the text: timers have none. */
  record ReadAdvisories(String stream) implements Step {
    @Override
    public String onModel(ModelSide model) {
      List<String> advisories = new ArrayList<>();
      for (long next = 1; ; ) {
        Answer<StoredMessage> answer = model.server.nextMessage(stream, ">", next);
        if (!(answer instanceof Answer.Ok<StoredMessage> ok)) {
          return advisories.stream().sorted().toList() + " then " + Wording.of(answer, m -> "");
        }
        advisories.add(Wording.advisory(ok.value().payload().text()));
        next = ok.value().sequence() + 1;
      }
    }

    @Override
    public void onServer(ServerSide server) {
      read(server, 1, new ArrayList<>());
    }

    private void read(ServerSide server, long next, List<String> advisories) {
      server.ask(
          "$JS.API.STREAM.MSG.GET." + server.stream(stream),
          "{\"seq\":%d,\"next_by_subj\":\">\"}".formatted(next),
          message -> {
            JsonValue json = ServerSide.parse(message);
            if (json.map.containsKey("error")) {
              server.answer(
                  advisories.stream().map(server::stripped).sorted().toList()
                      + " then "
                      + Wording.refusal(json));
              return;
            }
            JsonValue stored = Wording.at(json, "message");
            advisories.add(Wording.advisory(Wording.decoded(stored, "data")));
            read(server, Wording.number(stored, "seq") + 1, advisories);
          });
    }
  }
}
