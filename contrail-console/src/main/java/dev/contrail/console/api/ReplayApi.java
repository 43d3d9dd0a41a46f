package dev.contrail.console.api;

import dev.contrail.console.desk.Desk;
import dev.contrail.console.desk.ReplayDesk;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import dev.contrail.operations.view.DraftFields;
import dev.contrail.operations.view.PlanFields;
import dev.contrail.operations.view.PlanRow;
import dev.contrail.plan.PlanState;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Replays. */
final class ReplayApi {
  private static final int ACCEPTED = 202;

  private record Started(String plan) {}

  private record Ended(
      String plan, boolean cancelled, String state, Instant stateAt, String stateBy, String why) {}

  private final Supplier<Desk> desk;

  ReplayApi(Supplier<Desk> desk) {
    this.desk = desk;
  }

  void add(Router router) {
    router.get(
        Api.BASE + "/replays",
        Need.VIEWER,
        Api.json(context -> desk.get().replays().list().stream().map(PlanRow::of).toList()));
    router.post(Api.BASE + "/replays/draft", Need.OPERATOR, Api.json(this::draft));
    router.post(Api.BASE + "/replays", Need.OPERATOR, Api.json(this::start));
    router.get(Api.BASE + "/replays/{plan}", Need.VIEWER, Api.json(this::plan));
    router.post(Api.BASE + "/replays/{plan}/cancel", Need.OPERATOR, Api.json(this::cancel));
    router.post(Api.BASE + "/replays/{plan}/resume", Need.OPERATOR, Api.json(this::resume));
  }

  private Object draft(Context context) throws InterruptedException {
    JsonNode body = Api.body(context);
    return DraftFields.of(
        desk.get().replays().draft(JsonChoice.choice(body), JsonChoice.how(body)).draft());
  }

  private Object start(Context context) throws InterruptedException {
    JsonNode body = Api.body(context);
    String plan =
        desk.get().replays().start(JsonChoice.choice(body), JsonChoice.how(body), Api.by(context));
    context.status(ACCEPTED);
    return new Started(plan);
  }

  private Object plan(Context context) throws InterruptedException {
    ReplayDesk.Progress progress =
        desk.get().replays().progress(context.pathParam("plan"), Api.by(context));
    return PlanFields.of(progress.report(), List.of());
  }

  private Object cancel(Context context) {
    String plan = context.pathParam("plan");
    PlanState state = desk.get().replays().cancel(plan, Api.by(context));
    return new Ended(
        plan,
        state.kind() == PlanState.Kind.CANCELLED,
        state.kind().text(),
        state.at(),
        state.by(),
        state.why());
  }

  private Object resume(Context context) {
    String plan = context.pathParam("plan");
    desk.get().replays().resume(plan, Api.by(context));
    context.status(ACCEPTED);
    return new Started(plan);
  }
}
