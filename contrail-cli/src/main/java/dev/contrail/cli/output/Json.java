package dev.contrail.cli.output;

import java.io.PrintWriter;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON for scripts. Fields come in the order in which the record declares them, instants and
 * durations as ISO-8601, bytes as base64, an empty optional as null.
 */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
          .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .build();

  private Json() {}

  /** Writes the value over several lines, for a command that answers once. */
  public static void write(PrintWriter out, Object value) {
    out.println(MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value));
    out.flush();
  }

  /** Writes the value on a line of its own, for a command that goes on answering. */
  public static void writeLine(PrintWriter out, Object value) {
    out.println(MAPPER.writeValueAsString(value));
    out.flush();
  }
}
