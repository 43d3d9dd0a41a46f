package dev.contrail.console.api;

import dev.contrail.console.desk.Desk;
import dev.contrail.console.web.Asked;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import dev.contrail.operations.view.WorkerFields;
import io.javalin.http.Context;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Workers, and what they are told. */
final class WorkerApi {
  private final Supplier<Desk> desk;

  WorkerApi(Supplier<Desk> desk) {
    this.desk = desk;
  }

  void add(Router router) {
    router.get(Api.BASE + "/workers", Need.VIEWER, Api.json(this::workers));
    router.post(Api.BASE + "/workers/pause", Need.OPERATOR, Api.json(this::pause));
    router.post(Api.BASE + "/workers/resume", Need.OPERATOR, Api.json(this::resume));
  }

  private Object workers(Context context) {
    return WorkerFields.of(
        desk.get()
            .workers()
            .roll()
            .of(named(context.queryParam("stream")), named(context.queryParam("consumer"))));
  }

  private static Optional<String> named(@Nullable String name) {
    return Optional.ofNullable(name).filter(it -> !it.isEmpty()).map(Asked::name);
  }

  private Object pause(Context context) {
    JsonNode body = Api.body(context);
    return WorkerFields.of(
        desk.get()
            .workers()
            .pause(
                Asked.pauseScope(field(body)), Api.by(context), body.path("because").asString("")));
  }

  private Object resume(Context context) {
    return WorkerFields.of(
        desk.get().workers().resume(Asked.pauseScope(field(Api.body(context))), Api.by(context)));
  }

  private static Function<String, @Nullable String> field(JsonNode body) {
    return name -> body.path(name).asString("");
  }
}
