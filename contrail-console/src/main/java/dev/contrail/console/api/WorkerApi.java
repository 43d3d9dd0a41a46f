package dev.contrail.console.api;

import dev.contrail.console.desk.Desk;
import dev.contrail.console.desk.Refusal;
import dev.contrail.console.desk.WorkerDesk;
import dev.contrail.console.web.Asked;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import dev.contrail.event.Act;
import dev.contrail.jetstream.ActStore;
import dev.contrail.operations.view.WorkerFields;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Workers, and what they are told. */
final class WorkerApi {
  private static final String BECAUSE = "because";

  private final Supplier<Desk> desk;

  WorkerApi(Supplier<Desk> desk) {
    this.desk = desk;
  }

  void add(Router router) {
    router.get(Api.BASE + "/workers", Need.VIEWER, Api.json(this::workers));
    router.get(Api.BASE + "/acts", Need.VIEWER, Api.json(this::acts));
    router.post(Api.BASE + "/workers/pause", Need.OPERATOR, Api.json(this::pause));
    router.post(Api.BASE + "/workers/resume", Need.OPERATOR, Api.json(this::resume));
  }

  private Object workers(Context context) {
    WorkerDesk workers = desk.get().workers();
    Map<String, Object> fields =
        WorkerFields.of(
            workers
                .roll()
                .of(named(context.queryParam("stream")), named(context.queryParam("consumer"))));
    fields.put("seenAt", workers.lastLook().map(it -> it.at().toString()).orElse(null));
    fields.put("stale", workers.staleSince().isPresent());
    return fields;
  }

  /** What was done to workers and tokens, the newest first. */
  private Object acts(Context context) {
    ActStore.Listing found = desk.get().workers().acts();
    return Map.of(
        "acts",
        found.acts().stream().map(WorkerApi::fields).toList(),
        "unreadable",
        found.unreadable());
  }

  private static Map<String, Object> fields(Act act) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("at", act.at().toString());
    fields.put("by", act.by());
    fields.put("act", act.kind().text());
    fields.put("what", act.what());
    fields.put("because", act.because());
    return fields;
  }

  private static Optional<String> named(@Nullable String name) {
    return Optional.ofNullable(name).filter(it -> !it.isEmpty()).map(Asked::name);
  }

  private Object pause(Context context) {
    JsonNode body = body(context, "stream", "consumer", "worker", BECAUSE);
    String because = Optional.ofNullable(text(body, BECAUSE)).orElse("");
    return WorkerFields.of(
        desk.get()
            .workers()
            .pause(Asked.pauseScope(name -> text(body, name)), Api.by(context), because));
  }

  private Object resume(Context context) {
    JsonNode body = body(context, "stream", "consumer", "worker");
    return WorkerFields.of(
        desk.get().workers().resume(Asked.pauseScope(name -> text(body, name)), Api.by(context)));
  }

  /** A field that is misspelt would make the pause wider than it was meant. */
  private static JsonNode body(Context context, String... accepted) {
    JsonNode body = Api.body(context);
    body.propertyNames().stream()
        .filter(name -> !List.of(accepted).contains(name))
        .findFirst()
        .ifPresent(
            name -> {
              throw new Refusal(
                  Refusal.Kind.BAD_REQUEST,
                  "'"
                      + name
                      + "' is not accepted; accepted are "
                      + String.join(", ", accepted)
                      + ".");
            });
    return body;
  }

  private static @Nullable String text(JsonNode body, String name) {
    if (!body.has(name)) {
      return null;
    }
    if (!body.path(name).isString()) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST, "'" + name + "' must be a string; leave it out for none.");
    }
    return body.path(name).asString();
  }
}
