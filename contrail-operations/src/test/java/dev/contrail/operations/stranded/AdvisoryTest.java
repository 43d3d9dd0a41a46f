package dev.contrail.operations.stranded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.Reason;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdvisoryTest {
  private static Optional<Advisory> parse(String json) {
    return Advisory.parse(json.getBytes(UTF_8));
  }

  @Test
  void tells_who_gave_up_on_what_and_when() {
    assertThat(
            parse(
                """
                {"type":"io.nats.jetstream.advisory.v1.max_deliver","id":"a",
                "timestamp":"2026-07-01T10:00:00.123456789Z","stream":"ORDERS",
                "consumer":"billing","stream_seq":42,"deliveries":5,"domain":"hub"}"""))
        .contains(
            new Advisory(
                Reason.EXHAUSTED,
                new GuardedMessage("ORDERS", "billing", 42),
                5,
                Instant.parse("2026-07-01T10:00:00.123456789Z"),
                "",
                "hub"));
    Advisory terminated =
        parse(
                """
                {"type":"io.nats.jetstream.advisory.v1.terminated","id":"a",
                "timestamp":"2026-07-01T12:00:00+02:00","stream":"ORDERS","consumer":"billing",
                "consumer_seq":7,"stream_seq":42,"deliveries":1,"reason":"no such customer"}""")
            .orElseThrow();
    assertThat(terminated.at()).isEqualTo(Instant.parse("2026-07-01T10:00:00Z"));
    assertThat(terminated.why())
        .isEqualTo("consumer billing terminated it on delivery 1: no such customer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no JSON",
        "[]",
        "{}",
        "{\"type\":5}",
        "{\"type\":\"io.nats.jetstream.advisory.v1.max_deliver\","
            + "\"timestamp\":\"2026-07-01T10:00:00Z\",\"stream\":\"bad name\","
            + "\"consumer\":\"c\",\"stream_seq\":1}",
        "{\"type\":\"io.nats.jetstream.advisory.v1.max_deliver\","
            + "\"timestamp\":\"2026-07-01T10:00:00Z\",\"stream\":\"S\","
            + "\"consumer\":\"a.b\",\"stream_seq\":1}",
        "{\"type\":{},\"timestamp\":[],\"stream\":1,\"consumer\":null,\"stream_seq\":true}",
        "{\"type\":\"io.nats.jetstream.advisory.v1.terminated\",\"timestamp\":7,"
            + "\"stream\":\"S\",\"consumer\":\"c\",\"stream_seq\":1}",
        "{\"type\":\"io.nats.jetstream.advisory.v1.terminated\","
            + "\"timestamp\":\"2026-07-01T10:00:00Z\",\"stream\":{},\"consumer\":\"c\","
            + "\"stream_seq\":1}",
        "{\"type\":\"io.nats.jetstream.advisory.v1.nak\",\"timestamp\":\"2026-07-01T10:00:00Z\","
            + "\"stream\":\"S\",\"consumer\":\"c\",\"stream_seq\":1}",
        "{\"type\":\"io.nats.jetstream.advisory.v1.max_deliver\",\"timestamp\":\"yesterday\","
            + "\"stream\":\"S\",\"consumer\":\"c\",\"stream_seq\":1}",
        "{\"type\":\"io.nats.jetstream.advisory.v1.max_deliver\",\"stream\":\"S\","
            + "\"consumer\":\"c\",\"stream_seq\":1}",
        "{\"type\":\"io.nats.jetstream.advisory.v1.max_deliver\","
            + "\"timestamp\":\"2026-07-01T10:00:00Z\",\"stream\":\"S\",\"consumer\":\"c\"}"
      })
  void is_nothing_else(String json) {
    assertThat(parse(json)).isEmpty();
  }

  @Test
  void what_is_nested_too_deep_to_be_read_is_none() {
    assertThat(parse("[".repeat(100_000))).isEmpty();
    assertThat(parse("{\"a\":".repeat(100_000))).isEmpty();
  }

  @Test
  void why_it_was_terminated_is_of_no_matter_where_it_is_no_text() {
    assertThat(
            parse(
                """
                {"type":"io.nats.jetstream.advisory.v1.terminated","stream":"ORDERS",
                "timestamp":"2026-07-01T12:00:00Z","consumer":"billing","stream_seq":42,
                "deliveries":1,"reason":{"code":7}}"""))
        .hasValueSatisfying(it -> assertThat(it.given()).isEmpty());
  }

  @Test
  void tells_nothing_of_a_stream_that_was_made_later_or_a_message_that_came_later() {
    Instant at = Instant.parse("2026-01-01T00:00:00Z");
    Advisory advisory =
        new Advisory(Reason.EXHAUSTED, new GuardedMessage("ORDERS", "billing", 1), 3, at, "", "");
    assertThat(advisory.isOfStreamMade(at.minusSeconds(1))).isTrue();
    assertThat(advisory.isOfStreamMade(at.plusMillis(1))).isFalse();
    assertThat(new Testimony(advisory, "orders.new", at.plusSeconds(5)).isCredible()).isTrue();
    assertThat(new Testimony(advisory, "orders.new", at.plusSeconds(6)).isCredible()).isFalse();
  }
}
