package dev.contrail.console.http;

import dev.contrail.console.health.Check;
import dev.contrail.console.health.Readiness;
import dev.contrail.console.web.Door;
import dev.contrail.console.web.Json;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import dev.contrail.operations.schedule.TaskStatus;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Health and metrics. */
final class Endpoints {
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final int NOT_READY = 503;

  private record Alive(String status) {}

  private record Ready(String status, List<Check> checks, List<Task> tasks) {}

  private record Task(String name, Optional<Instant> lastSuccess, Optional<String> failure) {
    private static Task of(TaskStatus status) {
      return new Task(
          status.name(),
          status.lastSuccess().map(it -> it.truncatedTo(ChronoUnit.MILLIS)),
          status.failure());
    }
  }

  private final Answers answers;
  private final Door door;

  private Endpoints(Answers answers, Door door) {
    this.answers = answers;
    this.door = door;
  }

  static void add(Router router, Answers answers, Door door, Need forMetrics) {
    Endpoints endpoints = new Endpoints(answers, door);
    router.get("/healthz", Need.NOBODY, context -> json(context, new Alive("up")));
    router.get("/readyz", Need.NOBODY, endpoints::ready);
    router.get("/metrics", forMetrics, endpoints::metrics);
  }

  private void ready(Context context) {
    Readiness readiness = answers.readiness();
    if (!readiness.isReady()) {
      context.status(NOT_READY);
    }
    // Why something is not fine names servers and people.
    boolean told = door.mayLook(context);
    json(
        context,
        new Ready(
            word(readiness),
            readiness.checks().stream().map(it -> told ? it : it.withoutDetail()).toList(),
            told ? answers.tasks().stream().map(Task::of).toList() : List.of()));
  }

  private static String word(Readiness readiness) {
    return readiness.isDegraded() ? "degraded" : readiness.isReady() ? "ready" : "not-ready";
  }

  private void metrics(Context context) {
    context.contentType(METRICS_TYPE).result(answers.metrics());
  }

  private static void json(Context context, Object value) {
    context.contentType(Json.TYPE).result(Json.text(value) + "\n");
  }
}
