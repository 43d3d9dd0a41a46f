package dev.contrail.console.http;

import dev.contrail.console.desk.Refusal;
import dev.contrail.console.pages.Screen;
import dev.contrail.console.web.ErrorAnswer;
import dev.contrail.console.web.Json;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How what goes wrong is told: as JSON, and to browsers as a page. */
final class Failures {
  private static final Logger log = LoggerFactory.getLogger(Failures.class);
  private static final String RETRY_AFTER = "10";
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int BROKEN = 500;
  private static final int BAD_GATEWAY = 502;

  private final Optional<Screen> screen;

  private Failures(Optional<Screen> screen) {
    this.screen = screen;
  }

  /**
   * @param screen where browsers are shown pages; empty where there are none
   */
  static void add(RoutesConfig routes, Optional<Screen> screen) {
    Failures failures = new Failures(screen);
    routes.exception(Refusal.class, failures::refused);
    routes.exception(
        ContrailException.class,
        (e, context) ->
            failures.tell(context, BAD_GATEWAY, "nats", String.valueOf(e.getMessage())));
    routes.exception(
        UnreadableEvidenceException.class,
        (e, context) ->
            failures.tell(context, BAD_GATEWAY, "unreadable", String.valueOf(e.getMessage())));
    routes.exception(
        HttpResponseException.class, (e, context) -> failures.byStatus(context, e.getStatus()));
    routes.exception(
        Exception.class,
        (e, context) -> {
          log.warn("{} could not be answered: {}", context.path(), String.valueOf(e));
          failures.tell(context, BROKEN, "failed", "This could not be answered; the log says why.");
        });
    routes.error(NOT_FOUND, context -> failures.byStatus(context, NOT_FOUND));
    routes.error(NOT_ALLOWED, context -> failures.byStatus(context, NOT_ALLOWED));
  }

  private void refused(Refusal refusal, Context context) {
    if (refusal.kind() == Refusal.Kind.UNAUTHENTICATED && wantsPage(context)) {
      String next = isGet(context) ? "?next=" + encoded(place(context)) : "";
      // htmx would put the login page into a part of another.
      if (context.header("HX-Request") != null) {
        context.header("HX-Redirect", "/login" + next).status(refusal.kind().status());
      } else {
        context.redirect("/login" + next);
      }
      return;
    }
    if (refusal.kind() == Refusal.Kind.UNAUTHENTICATED) {
      context.header("WWW-Authenticate", "Bearer");
    }
    if (refusal.kind() == Refusal.Kind.TOO_MANY) {
      context.header("Retry-After", RETRY_AFTER);
    }
    tell(context, refusal.kind().status(), refusal.kind().code(), refusal.sentence());
  }

  private void byStatus(Context context, int status) {
    if (isTold(context)) {
      return;
    }
    switch (status) {
      case NOT_FOUND -> tell(context, status, "not-found", "There is nothing at this path.");
      case NOT_ALLOWED ->
          tell(context, status, "not-allowed", "This method is not accepted at this path.");
      default -> tell(context, status, "refused", "The request was refused.");
    }
  }

  private static boolean isTold(Context context) {
    return Boolean.TRUE.equals(context.attribute("contrail.told"));
  }

  private void tell(Context context, int status, String code, String sentence) {
    context.attribute("contrail.told", true);
    context.status(status);
    if (wantsPage(context)) {
      screen.orElseThrow().error(context, title(status), sentence);
    } else {
      context.contentType(Json.TYPE).result(Json.text(ErrorAnswer.of(code, sentence)) + "\n");
    }
  }

  private static String title(int status) {
    return switch (status) {
      case NOT_FOUND -> "Not found";
      case BROKEN, BAD_GATEWAY -> "That failed";
      default -> "That was not done";
    };
  }

  private boolean wantsPage(Context context) {
    return screen.isPresent()
        && !context.path().startsWith("/api/")
        && Optional.ofNullable(context.header("Accept")).orElse("").contains("text/html");
  }

  private static boolean isGet(Context context) {
    return context.method().name().equals("GET");
  }

  private static String place(Context context) {
    String query = context.queryString();
    return context.path() + (query == null ? "" : "?" + query);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
