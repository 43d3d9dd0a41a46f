package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.EncodedDeadLetter.Part;
import dev.contrail.evidence.EvidenceEncoder;
import dev.contrail.evidence.Limits;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.Subject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Large dead letters that two write at once, each of them stopped anywhere on its way. */
@OnEveryServer
class PartsTest {
  private static final Instant PUBLISHED = Instant.parse("2026-03-01T10:00:00.123456789Z");
  private static final Limits COARSE = Limits.ofMessages(16 * 1024);
  private static final Limits FINE = Limits.ofMessages(8 * 1024);

  /** One more than a writer makes: it looks for the head, writes up to 5 parts, and the head. */
  private static final int REQUESTS = 8;

  /** What a worker has to say on the death, and how much it may write at once. */
  private record Writer(String exception, Limits limits) {}

  /** The message that dies: how many headers of 1,000 bytes, and how many bytes of payload. */
  private record Size(int headers, int payload) {}

  private final NatsServerBinary binary;
  private Workplace workplace;

  PartsTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
    workplace.provision();
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @Test
  void two_who_cut_a_message_into_parts_of_different_sizes_leave_it_whole() {
    Size size = new Size(0, 20_000);
    Writer coarse = new Writer("alike", COARSE);
    Writer fine = new Writer("alike", FINE);
    assertThat(parts(size, coarse)).hasSize(3);
    assertThat(parts(size, fine)).hasSize(5);

    meetEverywhere(size, coarse, fine);
  }

  @Test
  void two_whose_exceptions_leave_different_room_for_the_message_leave_it_whole() {
    Size size = new Size(14, 9_000);
    Writer terse = new Writer("no", COARSE);
    Writer wordy = new Writer("no ".repeat(700), COARSE);
    assertThat(parts(size, terse).get(0).sha256())
        .as("the first part, which is payload of one and headers of the other")
        .isNotEqualTo(parts(size, wordy).get(0).sha256());

    meetEverywhere(size, terse, wordy);
  }

  @Test
  void two_who_cut_alike_share_their_parts() {
    Writer writer = new Writer("alike", COARSE);

    meetEverywhere(new Size(0, 20_000), writer, writer);

    assertThat(workplace.deadLetterSubjects(workplace.names.partSubjects()))
        .hasSize(3 * REQUESTS * REQUESTS)
        .extracting(Subject::getCount)
        .containsOnly(1L);
  }

  @Test
  void what_lies_under_the_subject_of_a_part_and_is_not_that_part_is_not_taken_for_it()
      throws Exception {
    Size size = new Size(0, 20_000);
    Writer writer = new Writer("alike", COARSE);
    Part second = parts(size, writer).get(1);
    String subject = id(1).partSubject(workplace.names.prefix(), 2, second.sha256());
    byte[] other = "other".getBytes(StandardCharsets.UTF_8);
    long planted = workplace.connection.jetStream().publish(subject, other).getSeqno();
    DeadLetterStore store = store(new PausingApi(workplace.connection, 0), writer);
    DeadLetter letter = letter(1, size, writer);

    assertThatThrownBy(() -> store.write(letter).join())
        .cause()
        .hasMessage(
            "the last message on %s in %s has 5 bytes and is not part 2 of the dead letter %s:"
                    .formatted(subject, workplace.names.deadLetterStream(), id(1))
                + " delete it")
        .matches(failure -> !JetStreamApi.isOfStore(failure), "concerns this message only");
    assertThat(workplace.deadLetterIds()).as("heads beside a part that is none").isEmpty();

    workplace.management.deleteMessage(workplace.names.deadLetterStream(), planted);
    store.write(letter).join();
    assertThat(workplace.deadLetter(id(1)).message()).isEqualTo(letter.message());
  }

  private void meetEverywhere(Size size, Writer one, Writer other) {
    int sequence = 0;
    for (int first = 1; first <= REQUESTS; first++) {
      for (int second = 1; second <= REQUESTS; second++) {
        sequence++;
        PausingApi api = new PausingApi(workplace.connection, first);
        PausingApi otherApi = new PausingApi(workplace.connection, second);
        var writing = startAndPause(api, one, letter(sequence, size, one));
        var otherWriting = startAndPause(otherApi, other, letter(sequence, size, other));
        api.goOn();
        writing.join();
        otherApi.goOn();
        otherWriting.join();
        assertThat(workplace.deadLetter(id(sequence)).message())
            .as("written by two, stopped before their requests %s and %s", first, second)
            .isEqualTo(letter(sequence, size, one).message());
      }
    }
    assertThat(workplace.deadLetterSubjects(workplace.names.deadLetterSubjects()))
        .hasSize(sequence)
        .extracting(Subject::getCount)
        .containsOnly(1L);
  }

  /** Writes until it stops, or to the end where it makes fewer requests. */
  private CompletableFuture<DeadLetterId> startAndPause(
      PausingApi api, Writer writer, DeadLetter letter) {
    CompletableFuture<DeadLetterId> written = store(api, writer).write(letter);
    CompletableFuture.anyOf(api.reached(), written).join();
    return written;
  }

  private DeadLetterStore store(JetStreamApi api, Writer writer) {
    return new DeadLetterStore(api, workplace.names, writer::limits);
  }

  private List<Part> parts(Size size, Writer writer) {
    return EvidenceEncoder.encode(letter(1, size, writer), writer.limits()).parts();
  }

  private DeadLetter letter(long sequence, Size size, Writer writer) {
    byte[] payload = new byte[size.payload()];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) (31 * i + i / 1_000);
    }
    Headers headers =
        Headers.of(
            IntStream.range(0, size.headers())
                .mapToObj(i -> new Header("Header-" + i, "v".repeat(1_000)))
                .toList());
    return new DeadLetter(
        id(sequence),
        OriginalMessage.of("orders.new", PUBLISHED, headers, payload),
        new Death(
            Reason.REJECTED,
            PUBLISHED,
            1,
            Failure.of(new IllegalStateException(writer.exception())),
            new Death.Witness("worker", Optional.empty())));
  }

  private DeadLetterId id(long sequence) {
    return new DeadLetterId(workplace.stream, "worker", workplace.incarnation(), sequence);
  }
}
