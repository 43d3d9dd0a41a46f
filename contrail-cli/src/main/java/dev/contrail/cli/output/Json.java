package dev.contrail.cli.output;

import java.io.PrintWriter;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON for scripts. Fields come in the order in which the record declares them, instants and
 * durations as ISO-8601, bytes as base64, an empty optional as null. What a terminal would act upon
 * is escaped: people look at JSON on terminals too.
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
    out.println(
        plain(MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value)));
    out.flush();
  }

  /** Writes the value on a line of its own, for a command that goes on answering. */
  public static void writeLine(PrintWriter out, Object value) {
    out.println(line(value));
    out.flush();
  }

  /** The value on one line. */
  public static String line(Object value) {
    return plain(MAPPER.writeValueAsString(value));
  }

  /** The mapper leaves alone what JSON allows; such characters are nowhere but inside strings. */
  private static String plain(String json) {
    if (json.chars().noneMatch(Json::steers)) {
      return json;
    }
    StringBuilder plain = new StringBuilder(json.length() + 64);
    json.chars()
        .forEach(
            c -> {
              if (steers(c)) {
                plain.append(String.format("\\u%04X", c));
              } else {
                plain.append((char) c);
              }
            });
    return plain.toString();
  }

  private static boolean steers(int c) {
    return c >= 0x7F
        && switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR ->
              true;
          default -> false;
        };
  }
}
