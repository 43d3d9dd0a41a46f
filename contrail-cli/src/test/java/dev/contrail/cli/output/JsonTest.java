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
}
