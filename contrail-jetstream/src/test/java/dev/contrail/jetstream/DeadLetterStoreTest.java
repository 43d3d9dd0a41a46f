package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.RejectedMessageException;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.Limits;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.Subject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One whole dead letter for each death, however often and by however many it is written. */
@OnEveryServer
class DeadLetterStoreTest {
  private static final Instant PUBLISHED = Instant.parse("2026-03-01T10:00:00.123456789Z");
  private static final int LARGE = 1_048_000;

  private final NatsServerBinary binary;
  private Workplace workplace;

  DeadLetterStoreTest(NatsServerBinary binary) {
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
  void the_same_death_repeated_is_one_dead_letter_and_stores_nothing_more() {
    DeadLetter small = letter(7, PUBLISHED, payload(100, 1), "a");
    DeadLetter large = letter(8, PUBLISHED, payload(LARGE, 2), "a");
    write(small, large);
    long stored = storedMessages();

    write(small, large, small, large);

    assertThat(storedMessages()).as("messages in the dead-letter stream").isEqualTo(stored);
    assertThat(workplace.deadLetters())
        .extracting(DeadLetter::message)
        .containsExactly(small.message(), large.message());
  }

  @Test
  void two_workers_burying_the_same_message_at_once_leave_one_whole_dead_letter() {
    List<DeadLetter> expected = new ArrayList<>();
    List<CompletableFuture<DeadLetterId>> writes = new ArrayList<>();
    try (Connection other = Contrail.connect(workplace.server.url())) {
      DeadLetterStore here = store(workplace.connection, serverLimits());
      DeadLetterStore there = store(other, serverLimits());
      for (int sequence = 1; sequence <= 20; sequence++) {
        byte[] payload = payload(sequence % 2 == 0 ? LARGE : 100, sequence);
        DeadLetter first = letter(sequence, PUBLISHED, payload, "short");
        DeadLetter second = letter(sequence, PUBLISHED, payload, "long ".repeat(400));
        expected.add(first);
        writes.add(here.write(first));
        writes.add(there.write(second));
      }
      writes.forEach(CompletableFuture::join);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(headsStored()).as("heads in the dead-letter stream").isEqualTo(expected.size());
    assertThat(workplace.deadLetters())
        .extracting(DeadLetter::message)
        .containsExactlyElementsOf(expected.stream().map(DeadLetter::message).toList());
  }

  @Test
  void a_stream_of_small_messages_takes_everything_in_parts() throws Exception {
    int largest = 8 * 1024;
    StreamConfiguration now =
        workplace.management.getStreamInfo(workplace.names.deadLetterStream()).getConfiguration();
    workplace.management.updateStream(
        StreamConfiguration.builder(now).maximumMessageSize(largest).build());
    Headers headers =
        Headers.of(
            IntStream.range(0, 60)
                .mapToObj(i -> new Header("Header-" + i, "v".repeat(1_000)))
                .toList());
    DeadLetter letter =
        new DeadLetter(
            id(9),
            OriginalMessage.of("orders.new", PUBLISHED, headers, payload(300_000, 3)),
            death(new RejectedMessageException("ü".repeat(2_000))));

    store(workplace.connection, Limits.ofMessages(largest)).write(letter).join();

    assertThat(workplace.deadLetter(id(9)).message()).isEqualTo(letter.message());
  }

  @Test
  void limits_that_no_dead_letter_fits_into_are_a_failure_of_the_store() {
    JetStreamApi api = new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions());
    DeadLetterStore store =
        new DeadLetterStore(api, workplace.names, () -> Limits.ofMessages(1_000));

    assertThatThrownBy(() -> store.write(letter(1, PUBLISHED, payload(1, 1), "a")).join())
        .hasMessageContaining("at least 4096 bytes, but messages may have 1000")
        .matches(JetStreamApi::isOfStore, "concerns the store");
  }

  @Test
  void a_message_far_larger_than_its_dead_letters_may_be_is_a_failure_of_its_own() {
    DeadLetterStore store = store(workplace.connection, Limits.ofMessages(Limits.SMALLEST));

    assertThatThrownBy(() -> store.write(letter(1, PUBLISHED, payload(LARGE, 1), "a")).join())
        .hasMessageContaining("The dead letter " + id(1) + " does not fit into messages of 4096")
        .matches(failure -> !JetStreamApi.isOfStore(failure), "concerns this message only");
  }

  @Test
  void the_dead_letter_of_another_message_with_the_same_sequence_is_left_alone() {
    DeadLetter old = letter(5, PUBLISHED, payload(LARGE, 1), "old");
    DeadLetter newer = letter(5, PUBLISHED.plusSeconds(60), payload(LARGE, 2), "newer");
    DeadLetter newest = letter(5, PUBLISHED.plusSeconds(90), payload(10, 3), "newest");
    DeadLetterStore store = store(workplace.connection, serverLimits());
    try (LogCapture log = new LogCapture()) {
      write(old, newer, newest, newer, newest);
      assertThat(log.at(Level.ERROR)).as("errors, one for each that was stored").hasSize(2);
      assertThat(log.at(Level.ERROR).get(0)).contains("message 5 is another", "" + epoch(2, 5));
    }
    assertThat(workplace.deadLetterIds())
        .containsExactlyInAnyOrder(id(5), epoch(2, 5), epoch(3, 5));
    assertThat(workplace.deadLetter(id(5)).message()).isEqualTo(old.message());
    assertThat(workplace.deadLetter(epoch(2, 5)).message()).isEqualTo(newer.message());
    assertThat(workplace.deadLetter(epoch(3, 5)).message()).isEqualTo(newest.message());

    OriginalMessage alive = letter(5, PUBLISHED.plusSeconds(99), payload(10, 3), "").message();
    assertThat(store.find(id(5), newer.message()).join()).contains(epoch(2, 5));
    assertThat(store.find(id(5), alive).join()).isEmpty();
  }

  @Test
  void a_message_whose_sequence_had_a_dead_letter_before_is_run_and_dies_on_its_own()
      throws Exception {
    DeadLetter old = letter(1, PUBLISHED, payload(20, 1), "old");
    write(old);
    workplace.publish("newer");
    workplace.deliver().nakWithDelay(1);
    List<Long> runs = new CopyOnWriteArrayList<>();
    List<ConsumerNotice> notices = new CopyOnWriteArrayList<>();
    try (LogCapture log = new LogCapture();
        ContrailConsumer consumer =
            workplace
                .consumer()
                .onNotice(notices::add)
                .handler(
                    delivery -> {
                      runs.add(delivery.deliveryCount());
                      throw new RejectedMessageException("now");
                    })
                .start()) {
      workplace.awaitEmpty();
      assertThat(log.at(Level.ERROR)).hasSize(1);
    }
    assertThat(runs).as("deliveries that were run").containsExactly(2L);
    assertThat(workplace.deadLetterIds()).containsExactlyInAnyOrder(id(1), epoch(2, 1));
    assertThat(workplace.deadLetter(id(1))).isEqualTo(old);
    assertThat(Workplace.text(workplace.deadLetter(epoch(2, 1)))).isEqualTo("newer");
    assertThat(notices).last().asString().contains("dead letter " + epoch(2, 1));
  }

  private void write(DeadLetter... letters) {
    DeadLetterStore store = store(workplace.connection, serverLimits());
    for (DeadLetter letter : letters) {
      store.write(letter).join();
    }
  }

  private DeadLetterStore store(Connection connection, Limits limits) {
    JetStreamApi api = new JetStreamApi(connection, JetStreamOptions.defaultOptions());
    return new DeadLetterStore(api, workplace.names, () -> limits);
  }

  private Limits serverLimits() {
    return Limits.ofMessages(workplace.connection.getMaxPayload());
  }

  private DeadLetter letter(long sequence, Instant published, byte[] payload, String message) {
    return new DeadLetter(
        id(sequence),
        OriginalMessage.of("orders.new", published, Headers.none(), payload),
        death(new IllegalStateException(message)));
  }

  private static Death death(Exception cause) {
    return new Death(
        Reason.REJECTED,
        PUBLISHED.plus(1, ChronoUnit.HOURS),
        3,
        Failure.of(cause),
        new Death.Witness("worker-1", Optional.empty()));
  }

  private DeadLetterId id(long sequence) {
    return new DeadLetterId(workplace.stream, "worker", workplace.incarnation(), sequence);
  }

  private DeadLetterId epoch(int epoch, long sequence) {
    return new DeadLetterId(
        workplace.stream, "worker", workplace.incarnation() + "-" + epoch, sequence);
  }

  private static byte[] payload(int size, int seed) {
    byte[] payload = new byte[size];
    for (int i = 0; i < size; i++) {
      payload[i] = (byte) (seed + 31 * i + i / 1_000);
    }
    return payload;
  }

  private long storedMessages() {
    return workplace.stateOf(workplace.names.deadLetterStream()).orElseThrow().getMsgCount();
  }

  private long headsStored() {
    return workplace.deadLetterSubjects(workplace.names.prefix() + ".dlq.>").stream()
        .mapToLong(Subject::getCount)
        .sum();
  }
}
