package dev.contrail.cli.command;

import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.WrappedText;
import dev.contrail.operations.view.PlainText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A line of a log. Names of streams and what servers say come from outside: nothing in them steers
 * a terminal or begins another line.
 *
 * @param fields in the order in which they are written; {@code event} is what happened
 * @param message for people to read, possibly empty
 */
public record LogLine(Instant time, String level, Map<String, Object> fields, String message) {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final String EVENT = "event";

  /** How lines are written. */
  public enum Form {
    /** For people who look on: a short time, then fields. */
    TERMINAL,
    /** For files and journals: {@code time=… level=… event=…}. */
    LOGFMT,
    JSON
  }

  /**
   * As text without the end of the line.
   *
   * @param columns where a line for people is wrapped; others stay whole
   */
  String write(Form form, ZoneId zone, int columns) {
    return switch (form) {
      case TERMINAL -> terminal(zone, columns);
      case LOGFMT -> logfmt();
      case JSON -> Json.line(all());
    };
  }

  private String terminal(ZoneId zone, int columns) {
    String start = CLOCK.format(time.atZone(zone)) + String.format(" %-5s ", level);
    return start
        + String.join(
            "\n" + " ".repeat(start.length()),
            WrappedText.lines(forPeople(), columns - start.length()));
  }

  private String forPeople() {
    StringBuilder line = new StringBuilder();
    Map<String, Object> rest = new LinkedHashMap<>(fields);
    Object event = rest.remove(EVENT);
    if (event == null) {
      line.append(PlainText.of(message));
      append(line, rest);
      return line.toString();
    }
    line.append(PlainText.of(event.toString()));
    append(line, rest);
    if (!message.isEmpty()) {
      line.append(": ").append(PlainText.of(message));
    }
    return line.toString();
  }

  private String logfmt() {
    StringBuilder line = new StringBuilder();
    append(line, all());
    return line.substring(1);
  }

  private Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("time", time.truncatedTo(ChronoUnit.MILLIS).toString());
    all.put("level", level.toLowerCase(Locale.ROOT));
    all.putAll(fields);
    if (!message.isEmpty()) {
      all.put("msg", message);
    }
    return all;
  }

  private static void append(StringBuilder line, Map<String, Object> fields) {
    fields.forEach((key, value) -> line.append(' ').append(key).append('=').append(quoted(value)));
  }

  private static String quoted(Object value) {
    String text = PlainText.of(String.valueOf(value));
    boolean bare = !text.isEmpty() && text.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '=');
    return bare ? text : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
