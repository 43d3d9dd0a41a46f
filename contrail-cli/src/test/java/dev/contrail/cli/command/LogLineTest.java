package dev.contrail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.LogLine.Form;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogLineTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123456Z");
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

  @Test
  void an_event_is_written_as_fields() {
    LogLine line = line("WARN", "17 of 20 used", "event", "finding.appeared", "code", "CT013");

    assertThat(line.write(Form.TERMINAL, ZONE, 80))
        .isEqualTo("13:00:00 WARN  finding.appeared code=CT013: 17 of 20 used");
    assertThat(line.write(Form.LOGFMT, ZONE, 80))
        .isEqualTo(
            "time=2026-01-01T12:00:00.123Z level=warn event=finding.appeared code=CT013"
                + " msg=\"17 of 20 used\"");
    assertThat(line.write(Form.JSON, ZONE, 80))
        .isEqualTo(
            "{\"time\":\"2026-01-01T12:00:00.123Z\",\"level\":\"warn\","
                + "\"event\":\"finding.appeared\",\"code\":\"CT013\",\"msg\":\"17 of 20 used\"}");
  }

  @Test
  void on_a_terminal_a_long_line_goes_on_below_its_text() {
    LogLine line =
        line("WARN", "neither age nor bytes are limited", "event", "finding.appeared", "a", "b");

    assertThat(line.write(Form.TERMINAL, ZONE, 50))
        .isEqualTo(
            """
            13:00:00 WARN  finding.appeared a=b: neither age
                           nor bytes are limited""");
    assertThat(line.write(Form.LOGFMT, ZONE, 50)).hasLineCount(1);
  }

  @Test
  void what_others_log_is_written_beside_it() {
    LogLine line = line("INFO", "created CONTRAIL_DLQ");

    assertThat(line.write(Form.TERMINAL, ZONE, 80))
        .isEqualTo("13:00:00 INFO  created CONTRAIL_DLQ");
    assertThat(line.write(Form.LOGFMT, ZONE, 80))
        .isEqualTo("time=2026-01-01T12:00:00.123Z level=info msg=\"created CONTRAIL_DLQ\"");
  }

  @Test
  void numbers_are_numbers_in_json_and_nothing_is_said_of_what_is_empty() {
    assertThat(line("INFO", "", "event", "x", "sequence", 42L).write(Form.JSON, ZONE, 80))
        .endsWith("\"event\":\"x\",\"sequence\":42}");
  }

  @Test
  void text_from_outside_steers_nothing_and_begins_no_line() {
    LogLine line =
        line("INFO", "a\u001B[31m\nb", "event", "x", "stream", "O=\"R\\\r\nlevel=error \u009Bc");

    assertThat(line.write(Form.LOGFMT, ZONE, 80))
        .endsWith("event=x stream=\"O=\\\"R\\\\  level=error \" msg=\"a b\"");
    for (Form form : Form.values()) {
      assertThat(line.write(form, ZONE, 80)).doesNotContain("\n", "\r", "\u001B", "\u009B");
    }
  }

  private static LogLine line(String level, String message, Object... fields) {
    Map<String, Object> named = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      named.put(fields[i].toString(), fields[i + 1]);
    }
    return new LogLine(NOON, level, named, message);
  }
}
