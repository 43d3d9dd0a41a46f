package dev.contrail.console.web;

import dev.contrail.console.desk.Refusal;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON with the fields in the order in which the record declares them. */
public final class Json {
  public static final String TYPE = "application/json";

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
          .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .build();

  private Json() {}

  public static String text(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /**
   * What a request says.
   *
   * @throws Refusal when it is no JSON object
   */
  public static JsonNode object(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      if (node != null && node.isObject()) {
        return node;
      }
    } catch (JacksonException e) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST, "The body is no JSON: " + e.getOriginalMessage() + ".");
    }
    throw new Refusal(Refusal.Kind.BAD_REQUEST, "The body must be a JSON object.");
  }
}
