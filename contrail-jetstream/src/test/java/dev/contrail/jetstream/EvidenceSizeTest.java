package dev.contrail.jetstream;

import static dev.contrail.jetstream.Wire.bytes;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.Headers;
import dev.contrail.RejectedMessageException;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages of any size and any bytes die with their evidence whole. */
@OnEveryServer
class EvidenceSizeTest {
  private static final String DYING = ".dying";

  private final NatsServerBinary binary;
  private final Map<Long, Headers> seenByHandler = new ConcurrentHashMap<>();
  private Workplace workplace;

  EvidenceSizeTest(NatsServerBinary binary) {
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
  void messages_that_fill_the_servers_limit_to_the_byte() throws Exception {
    dieWhole(
        filling(""),
        filling("NATS/1.0\r\nTrace: 1\r\n\r\n"),
        filling("NATS/1.0\r\nX-Name: José\r\n\r\n"),
        filling("NATS/1.0\r\nBig: " + "x".repeat(60_000) + "\r\n\r\n"),
        filling("NATS/1.0\r\nBig: " + "é".repeat(60_000) + "\r\n\r\n"),
        filling("NATS/1.0 503\r\n\r\n"));
  }

  @Test
  void many_headers_and_large_ones() throws Exception {
    dieWhole(
        Published.of(block(60, i -> "Header-" + i + ": value " + i)),
        Published.of(block(60, i -> "Tag-" + i % 7 + ":" + i)),
        Published.of(block(60, i -> "Header-" + i + ": " + "v".repeat(1_000))),
        Published.of(block(1, i -> "Header: " + "v".repeat(61_440))),
        Published.of(block(6_000, i -> "h" + i + ":" + i % 10)));
  }

  @Test
  void headers_of_any_bytes() throws Exception {
    dieWhole(
        Published.of("NATS/1.0\r\nX-Name: José\r\nTrace: 1\r\n\r\n"),
        Published.of("NATS/1.0\r\nX-Name: Jos\u00c3\u00a9\r\n\r\n"),
        Published.of("NATS/1.0\r\nX-É: v\r\n\r\n"),
        Published.of("NATS/1.0\r\nA: \u0001b\u007f\u0000c\r\n\r\n"),
        Published.of("NATS/1.0\r\nA: \u0001b\u0002\r\nB:\tc\u001f\r\n\r\n"),
        Published.of("NATS/1.0\r\nA:  b  \r\nB:\r\nC: \r\nD:d\r\n\r\n"),
        Published.of("NATS/1.0\r\nA: 1\r\nB: 2\r\nA: 3\r\n\r\n"),
        Published.of("NATS/1.0\r\nz: 1\r\ny: 2\r\nx: 3\r\nZ: 4\r\n\r\n"),
        Published.of("NATS/1.0\r\nA: b\nC: d\r\n\r\n"),
        Published.of("NATS/1.0\r\nno colon\r\n\r\n"),
        Published.of("NATS/1.0\r\nunfinished"),
        Published.of("x"));
  }

  @Test
  void headers_that_mean_something_to_servers_clients_or_contrail() throws Exception {
    dieWhole(
        Published.of("NATS/1.0 503\r\n\r\n"),
        Published.of("NATS/1.0 409 Consumer Deleted\r\nA: b\r\n\r\n"),
        Published.of("NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 1\r\n\r\n"),
        Published.of("NATS/1.0\r\nNats-Msg-Id: one\r\nNats-Expected-Stream: @\r\n\r\n"),
        Published.of("NATS/1.0\r\nX: Nats-Expected-Last-Subject-Sequence: 7\r\n\r\n"),
        Published.of("NATS/1.0\r\nContrail-Reason: forged\r\nContrail-Parts: forged\r\n\r\n"),
        Published.of("NATS/1.0\r\nContrail-Raw-Headers: Zm9yZ2Vk\r\n\r\n"));
  }

  @Test
  void empty_payloads() throws Exception {
    dieWhole(
        new Published("", new byte[0]),
        new Published("NATS/1.0\r\nA: b\r\n\r\n", new byte[0]),
        new Published("NATS/1.0\r\nX-Name: José\r\n\r\n", new byte[0]),
        new Published("NATS/1.0 503\r\n\r\n", new byte[0]));
  }

  @Test
  void whatever_the_exception_says() throws Exception {
    List<Exception> thrown =
        List.of(
            new IllegalStateException(
                "first line\nsecond line\r\n\tzażółć gęślą jaźń \uD83D\uDE80"),
            new IllegalStateException("x".repeat(1_000_000)),
            new HostileException(),
            new IllegalStateException((String) null),
            new IllegalStateException("Nats-Expected-Last-Subject-Sequence: 7", cyclic()));
    workplace.publish(thrown.size(), "dying");
    List<ConsumerNotice> notices = new CopyOnWriteArrayList<>();
    try (LogCapture log = new LogCapture()) {
      try (ContrailConsumer consumer =
          workplace
              .consumer()
              .deliveryLimit(2)
              .onNotice(notices::add)
              .handler(
                  delivery -> {
                    throw thrown.get((int) delivery.sequence() - 1);
                  })
              .start()) {
        workplace.awaitEmpty();
      }
      assertThat(log.at(Level.ERROR)).as("errors logged").isEmpty();
    }
    List<String> messages =
        workplace.deadLetters().stream().map(letter -> letter.death().failure().message()).toList();
    assertThat(messages).hasSize(thrown.size());
    assertThat(messages.get(0)).isEqualTo(thrown.get(0).getMessage());
    assertThat(messages.get(1)).startsWith("xxxxx").hasSizeBetween(1_000, 2_100);
    assertThat(messages.get(2)).contains("getMessage() threw");
    assertThat(messages.get(3)).isEmpty();
    assertThat(messages.get(4)).isEqualTo(thrown.get(4).getMessage());
    assertThat(notices)
        .filteredOn(notice -> notice.kind() == ConsumerNotice.Kind.RETRYING)
        .hasSize(thrown.size())
        .allSatisfy(notice -> assertThat(notice.text()).hasSizeLessThan(5_000));
  }

  private static Exception cyclic() {
    Exception first = new Exception("first");
    first.initCause(new Exception("second", first));
    return first;
  }

  private static final class HostileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message for you");
    }
  }

  /** What is published, header bytes as characters; @ stands for the name of the stream. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Published(String block, byte[] payload) {
    static Published of(String block) {
      return new Published(block, bytes("the payload"));
    }

    byte[] block(Workplace workplace) {
      return bytes(block.replace("@", workplace.stream));
    }

    String shown() {
      String start = block.length() > 80 ? block.substring(0, 80) + "…" : block;
      return start.replace("\r\n", "|") + " and " + payload.length + " bytes";
    }
  }

  private Published filling(String block) {
    byte[] payload = new byte[(int) workplace.connection.getMaxPayload() - block.length()];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) (31 * i + i / 1_000);
    }
    return new Published(block, payload);
  }

  private static String block(int lines, IntFunction<String> line) {
    return IntStream.range(0, lines)
        .mapToObj(i -> line.apply(i) + "\r\n")
        .collect(Collectors.joining("", "NATS/1.0\r\n", "\r\n"));
  }

  private void dieWhole(Published... messages) throws Exception {
    publishWithHealthyOnesBehind(messages);
    List<byte[]> storedBlocks = storedBlocks(messages);
    Map<Long, DeadLetter> letters = deadLettersOnceAllIsDone(messages.length);
    assertSoftly(
        softly -> {
          for (int i = 0; i < messages.length; i++) {
            Published message = messages[i];
            long sequence = 2L * i + 1;
            byte[] block = storedBlocks.get(i);
            DeadLetter letter = letters.get(sequence);
            softly.assertThat(letter).as("dead letter of %s", message.shown()).isNotNull();
            if (letter != null) {
              softly
                  .assertThat(Arrays.equals(letter.message().payload(), message.payload()))
                  .as("payload of %s is whole", message.shown())
                  .isTrue();
              softly
                  .assertThat(text(letter.message().headerBlock()))
                  .as("header block of %s", message.shown())
                  .isEqualTo(text(block));
              softly
                  .assertThat(seenByHandler.getOrDefault(sequence, Headers.none()).lines())
                  .as("headers the handler saw of %s", message.shown())
                  .containsExactlyInAnyOrderElementsOf(Headers.parse(block).lines());
            }
          }
        });
  }

  private void publishWithHealthyOnesBehind(Published... messages) throws Exception {
    String dying = workplace.stream + DYING;
    try (RawClient raw = new RawClient(workplace.server.port())) {
      for (Published message : messages) {
        if (message.block().isEmpty()) {
          raw.publish(dying, message.payload());
        } else {
          raw.publish(dying, message.block(workplace), message.payload());
        }
        raw.publish(workplace.subject(), bytes("NATS/1.0\r\nA: b\r\n\r\n"), bytes("healthy"));
      }
    }
    await().atMost(Workplace.SOON).until(() -> workplace.messages() == 2L * messages.length);
  }

  /** Newer servers take an inline status away; all else is stored as it was published. */
  private List<byte[]> storedBlocks(Published... messages) {
    JetStreamApi api = new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions());
    List<byte[]> blocks = new ArrayList<>();
    for (int i = 0; i < messages.length; i++) {
      byte[] stored = api.message(workplace.stream, 2L * i + 1).join().orElseThrow().headerBlock();
      if (!messages[i].block().startsWith("NATS/1.0 ")) {
        assertThat(text(stored)).isEqualTo(text(messages[i].block(workplace)));
      }
      blocks.add(stored);
    }
    return blocks;
  }

  private Map<Long, DeadLetter> deadLettersOnceAllIsDone(int dying) {
    Map<Long, byte[]> healthy = new ConcurrentHashMap<>();
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .handler(
                delivery -> {
                  if (delivery.subject().endsWith(DYING)) {
                    seenByHandler.put(delivery.sequence(), delivery.headers());
                    throw new RejectedMessageException("told to");
                  }
                  healthy.put(delivery.sequence(), delivery.data());
                })
            .start()) {
      workplace.awaitEmpty();
    }
    assertThat(healthy).as("messages behind them that were processed").hasSize(dying);
    List<DeadLetter> letters = workplace.deadLetters();
    return letters.stream()
        .collect(Collectors.toMap(letter -> letter.id().sequence(), Function.identity()));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }
}
