package dev.contrail.console.http;

import dev.contrail.console.health.Check;
import dev.contrail.console.health.Readiness;
import dev.contrail.operations.schedule.TaskStatus;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What can be asked for, by path. */
final class Endpoints {
  private static final Logger log = LoggerFactory.getLogger(Endpoints.class);
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int BROKEN = 500;
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

  private Endpoints(Answers answers) {
    this.answers = answers;
  }

  static void add(RoutesConfig routes, Answers answers) {
    Endpoints endpoints = new Endpoints(answers);
    routes.before(Endpoints::harden);
    routes.get("/healthz", context -> json(context, new Alive("up")));
    routes.get("/readyz", endpoints::ready);
    routes.get("/metrics", endpoints::metrics);
    routes.error(
        NOT_FOUND,
        context ->
            json(
                context,
                ErrorAnswer.of(
                    "not-found", "There is nothing but /healthz, /readyz and /metrics.")));
    routes.error(
        NOT_ALLOWED,
        context -> json(context, ErrorAnswer.of("not-allowed", "Accepted are GET and HEAD.")));
    routes.exception(
        Exception.class,
        (e, context) -> {
          log.warn("{} could not be answered: {}", context.path(), String.valueOf(e));
          context.status(BROKEN);
          json(context, ErrorAnswer.of("failed", "This could not be answered; the log says why."));
        });
  }

  /** Nothing here is for a browser to keep, to run or to show within another page. */
  private static void harden(Context context) {
    context.header("Cache-Control", "no-store");
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }

  private void ready(Context context) {
    Readiness readiness = answers.readiness();
    if (!readiness.isReady()) {
      context.status(NOT_READY);
    }
    json(
        context,
        new Ready(
            readiness.isReady() ? "ready" : "not-ready",
            readiness.checks(),
            answers.tasks().stream().map(Task::of).toList()));
  }

  private void metrics(Context context) {
    context.contentType(METRICS_TYPE).result(answers.metrics());
  }

  private static void json(Context context, Object value) {
    context.contentType(Json.TYPE).result(Json.text(value) + "\n");
  }
}
