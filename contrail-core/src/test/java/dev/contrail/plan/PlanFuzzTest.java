package dev.contrail.plan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Headers;
import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

class PlanFuzzTest extends FuzzTargets {
  private static final Headers HEADERS =
      PlanFormat.bodyHeaders(PlanAddress.entries("p1", 1), Instant.EPOCH, "ada");

  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of(
        "plan-head", PlanFuzzTest::head,
        "plan-state", PlanFuzzTest::state,
        "plan-entries", PlanFuzzTest::entries,
        "plan-progress", PlanFuzzTest::progress,
        "plan-packed", PlanFuzzTest::packed,
        "plan-subject", PlanFuzzTest::subject,
        "rate", PlanFuzzTest::rate);
  }

  private static void head(byte[] data) {
    refusing(
        () -> {
          PlanHead head = PlanFormat.head("p1", Headers.parse(data));
          assertThat(PlanFormat.head("p1", PlanFormat.encode(head))).isEqualTo(head);
        });
  }

  private static void state(byte[] data) {
    refusing(
        () -> {
          PlanState state = PlanFormat.state("p1", Headers.parse(data));
          assertThat(PlanFormat.state("p1", PlanFormat.encode(state))).isEqualTo(state);
        });
  }

  private static void entries(byte[] data) {
    byte[] body = PackedLines.pack(lines(data));
    refusing(
        () -> {
          List<PlanEntry> entries = PlanFormat.entries("p1", HEADERS, body);
          assertThat(PlanFormat.entries("p1", HEADERS, PlanFormat.entries(entries)))
              .isEqualTo(entries);
        });
  }

  private static void progress(byte[] data) {
    byte[] body = PackedLines.pack(lines(data));
    refusing(
        () -> {
          List<PlanProgress> progress = PlanFormat.progress("p1", HEADERS, body);
          assertThat(PlanFormat.progress("p1", HEADERS, PlanFormat.progress(progress)))
              .isEqualTo(progress);
        });
  }

  private static List<String> lines(byte[] data) {
    return List.of(new String(data, UTF_8).split("\n", -1));
  }

  private static void packed(byte[] data) {
    refusing(() -> PlanFormat.entries("p1", HEADERS, data));
    refusing(() -> PlanFormat.progress("p1", HEADERS, data));
  }

  private static void subject(byte[] data) {
    String subject = new String(data, ISO_8859_1);
    PlanAddress.ofSubject("contrail", subject)
        .ifPresent(address -> assertThat(address.subject("contrail")).isEqualTo(subject));
  }

  private static void rate(byte[] data) {
    Rate.parse(new String(data, UTF_8))
        .ifPresent(
            rate -> {
              assertThat(Rate.parse(rate.toString())).contains(rate);
              assertThat(rate.interval()).isPositive();
            });
  }

  private static void refusing(Runnable reading) {
    try {
      reading.run();
    } catch (UnreadablePlanException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }
}
