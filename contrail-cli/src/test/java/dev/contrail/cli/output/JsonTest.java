package dev.contrail.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class JsonTest {
  record Entry(
      String id,
      String state,
      long deliveries,
      Instant deadAt,
      Duration took,
      Optional<String> note) {}

  private static final Entry ENTRY =
      new Entry(
          "Z",
          "open",
          100,
          Instant.parse("2026-02-03T04:05:06.789Z"),
          Duration.ofMillis(1500),
          Optional.empty());

  private static String line(Object value) {
    StringWriter text = new StringWriter();
    Json.writeLine(new PrintWriter(text), value);
    return text.toString();
  }

  @Test
  void fields_come_in_the_order_of_declaration() {
    assertThat(line(ENTRY))
        .isEqualTo(
            "{\"id\":\"Z\",\"state\":\"open\",\"deliveries\":100,"
                + "\"deadAt\":\"2026-02-03T04:05:06.789Z\",\"took\":\"PT1.5S\","
                + "\"note\":null}\n");
  }

  @Test
  void bytes_are_base64() {
    assertThat(line(Map.of("payload", "hi".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("{\"payload\":\"aGk=\"}\n");
  }

  @Test
  void an_answer_is_spread_over_lines_for_people() {
    StringWriter text = new StringWriter();
    Json.write(new PrintWriter(text), List.of(ENTRY));
    assertThat(text.toString().lines().count()).isGreaterThan(6);
  }

  @Test
  void control_characters_are_escaped() {
    assertThat(line(List.of("a\u001B[31m\n"))).isEqualTo("[\"a\\u001B[31m\\n\"]\n");
  }

  @Test
  void so_is_all_else_that_steers_a_terminal_and_it_is_read_back_as_it_was() {
    StringBuilder all = new StringBuilder("é😀\u202E\u2028");
    for (char c = 0x7F; c <= 0xA0; c++) {
      all.append(c);
    }
    String text = all.toString();
    for (Object value : List.of(List.of(text), Map.of(text, 1))) {
      StringWriter spread = new StringWriter();
      Json.write(new PrintWriter(spread), value);
      for (String json : List.of(line(value), spread.toString())) {
        assertThat(json)
            .contains("é😀\\u202E\\u2028\\u007F")
            .contains("\\u009B")
            .contains("\\u009F");
        assertThat(json.strip().chars().filter(c -> c >= 0x7F && c < 0xA0)).isEmpty();
        assertThat(JsonMapper.shared().readValue(json, Object.class)).isEqualTo(value);
      }
    }
  }
}
