package dev.contrail.console.api;

import dev.contrail.console.desk.Choice;
import dev.contrail.console.desk.Refusal;
import dev.contrail.console.web.Asked;
import dev.contrail.plan.PlanOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Which dead letters a body means, and how they are to be replayed. */
final class JsonChoice {
  private static final Map<String, String> OPTIONS =
      Map.of(
          "to", "to",
          "rate", "rate",
          "canary", "canary",
          "stop-on-return", "stopOnReturn",
          "max-replays", "maxReplays");

  private JsonChoice() {}

  /** {@code ids}, or {@code filter} with the names of the query, or {@code all}. */
  static Choice choice(JsonNode body) {
    Function<String, List<String>> parameters =
        name ->
            switch (name) {
              case "id" -> texts(body.path("ids"));
              case "all" -> body.path("all").asBoolean(false) ? List.of("true") : List.of();
              default -> texts(body.path("filter").path(name));
            };
    return Asked.choice(parameters);
  }

  static PlanOptions how(JsonNode body) {
    return Asked.how(name -> texts(body.path(OPTIONS.getOrDefault(name, name))));
  }

  static String text(JsonNode body, String name) {
    JsonNode value = body.path(name);
    if (!value.isString()) {
      throw new Refusal(Refusal.Kind.BAD_REQUEST, "'" + name + "' is missing, or no text.");
    }
    return value.asString();
  }

  private static List<String> texts(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return List.of();
    }
    if (!value.isArray()) {
      return List.of(value.asString());
    }
    List<String> texts = new ArrayList<>();
    value.forEach(one -> texts.add(one.asString()));
    return texts;
  }
}
