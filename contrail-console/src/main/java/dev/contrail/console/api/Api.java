package dev.contrail.console.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.console.desk.Desk;
import dev.contrail.console.desk.Refusal;
import dev.contrail.console.web.Door;
import dev.contrail.console.web.Json;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** The HTTP API, of which openapi.json tells. */
public final class Api {
  static final String BASE = "/api/v1";
  private static final String DOCUMENT = "openapi.json";

  /** Answers with what is written as JSON. */
  interface Answer {
    Object to(Context context) throws Exception;
  }

  /** Who asks. */
  private record Session(String name, String role) {}

  private final Supplier<Optional<Desk>> desk;
  private final String document = document();

  private Api(Supplier<Optional<Desk>> desk) {
    this.desk = desk;
  }

  /**
   * Adds all of it.
   *
   * @param desk empty before it has begun
   */
  public static void add(Router router, Supplier<Optional<Desk>> desk) {
    Api api = new Api(desk);
    router.get(
        BASE + "/openapi.json",
        Need.VIEWER,
        context -> context.contentType(Json.TYPE).result(api.document));
    router.get(BASE + "/session", Need.VIEWER, json(Api::session));
    new EstateApi(api::desk).add(router);
    new LetterApi(api::desk).add(router);
    new ReplayApi(api::desk).add(router);
    new WorkerApi(api::desk).add(router);
  }

  private Desk desk() {
    return desk.get()
        .orElseThrow(
            () ->
                new Refusal(
                    Refusal.Kind.UNAVAILABLE,
                    "It has not begun yet: it waits for the NATS server."));
  }

  private static Session session(Context context) {
    return new Session(Door.actor(context).name(), Door.actor(context).role().text());
  }

  static Handler json(Answer answer) {
    return context -> write(context, answer.to(context));
  }

  static void write(Context context, Object value) {
    context.contentType(Json.TYPE).result(Json.text(value) + "\n");
  }

  static JsonNode body(Context context) {
    return Json.object(context.body());
  }

  static String by(Context context) {
    return Door.actor(context).name();
  }

  private static String document() {
    try (InputStream in = Api.class.getResourceAsStream(DOCUMENT)) {
      if (in == null) {
        throw new IllegalStateException(DOCUMENT + " is missing from the program");
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
