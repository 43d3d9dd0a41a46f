package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.RejectedMessageException;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.Limits;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.redaction.Redaction;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.MessageInfo;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is blanked out before a dead letter is written is nowhere in it. */
@OnEveryServer
class RedactedDeadLetterTest {
  private static final String SECRET = "4111-1111-1111-1111";
  private static final Redaction RULES =
      Redaction.of(List.of("Authorization"), List.of("$.card.number"));

  private final NatsServerBinary binary;
  private Workplace workplace;

  RedactedDeadLetterTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @Test
  void a_header_alone_a_value_alone_and_a_payload_in_parts_are_stored_without_the_secret()
      throws Exception {
    publish("X-B:  2 \r\nAuthorization: " + SECRET + "\r\nX-A: José\r\n", "plain");
    publish("X-B:  2 \r\nX-A: José\r\n", card(SECRET, 10));
    publish("authorization : " + SECRET + "\r\n", card(SECRET, 1_048_000));
    rejectAll(RULES);

    assertThat(everythingStored()).doesNotContain(SECRET);
    List<DeadLetter> letters = workplace.deadLetters();
    assertThat(letters).hasSize(3).allMatch(DeadLetter::redacted);
    assertThat(letters)
        .allSatisfy(
            letter ->
                assertThat(new String(letter.message().headerBlock(), ISO_8859_1))
                    .doesNotContain(SECRET));
    assertThat(Workplace.headers(letters.get(0)).first("Authorization")).contains(Redaction.MARK);
    assertThat(Workplace.headers(letters.get(0)).first("X-A")).isPresent();
    assertThat(Workplace.text(letters.get(0))).isEqualTo("plain");
    assertThat(new String(letters.get(1).message().headerBlock(), ISO_8859_1))
        .as("headers of which nothing is hidden")
        .isEqualTo(block("X-B:  2 \r\nX-A: José\r\n"));
    assertThat(Workplace.text(letters.get(1))).isEqualTo(card(Redaction.MARK, 10));
    assertThat(Workplace.text(letters.get(2))).isEqualTo(card(Redaction.MARK, 1_048_000));
  }

  @Test
  void without_rules_and_where_they_find_nothing_it_is_stored_as_it_was() throws Exception {
    publish("X-A: 1\r\n", "{\"card\":{}}");
    rejectAll(RULES);
    publish("Authorization: " + SECRET + "\r\n", card(SECRET, 10));
    rejectAll(Redaction.NONE);
    assertThat(workplace.deadLetters()).hasSize(2).noneMatch(DeadLetter::redacted);
    assertThat(Workplace.text(workplace.deadLetters().get(1))).isEqualTo(card(SECRET, 10));
  }

  @Test
  void workers_of_which_one_blanks_out_and_one_does_not_write_one_dead_letter() {
    workplace.provision();
    for (int size : new int[] {10, 1_048_000}) {
      DeadLetter first = letter(size, 0);
      assertThat(store(Redaction.NONE).write(first).join()).isEqualTo(first.id());
      assertThat(store(RULES).write(first).join()).isEqualTo(first.id());
      DeadLetter second = letter(size + 1, 0);
      assertThat(store(RULES).write(second).join()).isEqualTo(second.id());
      assertThat(store(RULES).write(second).join()).isEqualTo(second.id());
      assertThat(store(Redaction.NONE).write(second).join()).isEqualTo(second.id());
      assertThat(store(RULES).find(second.id(), second.message()).join()).contains(second.id());
    }
    assertThat(workplace.deadLetterCount()).isEqualTo(4);
  }

  @Test
  void of_a_sequence_that_was_used_before_it_says_so_too() {
    workplace.provision();
    DeadLetter earlier = letter(5, 0);
    DeadLetter later = letter(5, 60);
    store(RULES).write(earlier).join();
    DeadLetterId id = store(RULES).write(later).join();
    assertThat(id).isNotEqualTo(earlier.id());
    assertThat(workplace.deadLetter(id).redacted()).isTrue();
    assertThat(Workplace.text(workplace.deadLetter(id))).isEqualTo(card(Redaction.MARK, 5));
  }

  private DeadLetter letter(int sequenceAndSize, int seconds) {
    Instant published = Instant.parse("2026-05-04T12:30:00Z").plusSeconds(seconds);
    return new DeadLetter(
        new DeadLetterId(workplace.stream, "worker", workplace.incarnation(), sequenceAndSize),
        new OriginalMessage(
            workplace.subject(),
            published,
            new byte[0],
            card(SECRET, sequenceAndSize).getBytes(UTF_8)),
        new Death(
            Reason.REJECTED,
            published,
            1,
            Failure.of(new RejectedMessageException("told to")),
            new Death.Witness("7@host", Optional.empty())));
  }

  private DeadLetterStore store(Redaction redaction) {
    return new DeadLetterStore(
        new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions()),
        workplace.names,
        () -> Limits.ofMessages(workplace.connection.getMaxPayload()),
        redaction);
  }

  private static String card(String number, int filling) {
    return "{\"card\": {\"number\": \"" + number + "\"}, \"f\": \"" + "f".repeat(filling) + "\"}";
  }

  private static String block(String lines) {
    return "NATS/1.0\r\n" + lines + "\r\n";
  }

  private void publish(String headerLines, String payload) {
    new CopyPublisher(workplace.connection, JetStreamOptions.defaultOptions())
        .publish(
            workplace.subject(), block(headerLines).getBytes(ISO_8859_1), payload.getBytes(UTF_8))
        .join();
  }

  private void rejectAll(Redaction rules) {
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .redactDeadLetters(rules)
            .handler(
                delivery -> {
                  throw new RejectedMessageException("told to");
                })
            .start()) {
      workplace.awaitEmpty();
    }
  }

  /** All bytes of the dead-letter stream: heads, parts, and headers as the decoder sees them. */
  private String everythingStored() throws Exception {
    StringBuilder all = new StringBuilder();
    String stream = workplace.names.deadLetterStream();
    long last = workplace.management.getStreamInfo(stream).getStreamState().getLastSequence();
    for (long sequence = 1; sequence <= last; sequence++) {
      MessageInfo stored = workplace.management.getMessage(stream, sequence);
      all.append(stored.getSubject()).append('\n');
      RawHeaders.headers(stored.getHeaders())
          .forEach(line -> all.append(line.name()).append(line.value()).append('\n'));
      all.append(stored.getData() == null ? "" : new String(stored.getData(), ISO_8859_1));
    }
    assertThat(last).as("heads and parts").isGreaterThan(3);
    return all.toString();
  }
}
