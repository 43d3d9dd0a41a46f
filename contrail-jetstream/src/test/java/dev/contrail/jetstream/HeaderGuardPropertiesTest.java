package dev.contrail.jetstream;

import static dev.contrail.jetstream.Wire.bytes;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.contrail.Headers;
import io.nats.client.support.IncomingHeadersProcessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class HeaderGuardPropertiesTest {
  private static final String ACK = " $JS.ACK.ORDERS.billing.1.7.7.1700000000000000000.0";

  @Property(tries = 500)
  void clean_traffic_passes_unchanged_in_any_chunking(
      @ForAll("cleanTraffic") byte[] sent, @ForAll long seed) {
    assertThat(Wire.guarded(sent, seed)).isEqualTo(sent);
  }

  @Property(tries = 500)
  void any_chunking_of_any_traffic_yields_the_same_bytes(
      @ForAll("anyTraffic") byte[] sent, @ForAll long seed) {
    assertThat(Wire.guarded(sent, seed)).isEqualTo(Wire.guarded(sent));
  }

  @Property(tries = 500)
  void messages_with_a_shortcut_are_handed_over_whole_and_all_else_passes_in_any_chunking(
      @ForAll("anyTraffic") byte[] passing,
      @ForAll("deliveries") List<Delivery> deliveries,
      @ForAll("anyTraffic") byte[] passingToo,
      @ForAll long seed) {
    List<Delivery> taken = new ArrayList<>();
    Shortcuts shortcuts = new Shortcuts();
    Shortcuts.Taker taker = message -> taken.add(Delivery.of(message));
    shortcuts.open("_INBOX.x.*", taker);
    shortcuts.subscribed("_INBOX.x.*", Delivery.SUBSCRIPTION);
    List<byte[]> sent = new ArrayList<>();
    for (Delivery delivery : deliveries) {
      sent.add(passing);
      sent.add(delivery.onTheWire());
    }
    sent.add(passingToo);

    byte[] out = Wire.guarded(Wire.join(sent), seed, shortcuts);

    assertThat(shortcuts.taker(Delivery.SUBSCRIPTION)).isSameAs(taker);
    assertThat(taken).isEqualTo(deliveries);
    List<byte[]> rest = new ArrayList<>(Collections.nCopies(deliveries.size(), passing));
    rest.add(passingToo);
    assertThat(out).isEqualTo(Wire.guarded(Wire.join(rest)));
  }

  @Property(tries = 1000)
  void a_header_is_found_without_taking_the_block_apart(
      @ForAll("cleanBlock") byte[] block, @ForAll long seed) {
    Headers headers = Headers.parse(block);
    List<String> names = new ArrayList<>();
    headers.forEach(line -> names.add(line.name()));
    names.add("Contrail-Replay-Of");
    String name = names.get(new Random(seed).nextInt(names.size()));

    WireMessage message = new WireMessage(block, 0, 0, new byte[0]);
    assertThat(message.hasHeader(name)).isEqualTo(headers.first(name).isPresent());
  }

  /** In letters, each of one byte, so that two of them can be compared. */
  private record Delivery(String subject, String reply, String headers, String payload) {
    static final long SUBSCRIPTION = 77;

    static Delivery of(WireMessage message) {
      return new Delivery(
          message.subject(),
          message.replyTo(),
          new String(message.headerBlock(), ISO_8859_1),
          new String(message.data(), ISO_8859_1));
    }

    byte[] onTheWire() {
      int total = headers.length() + payload.length();
      String to = subject + " " + SUBSCRIPTION + (reply.isEmpty() ? " " : " " + reply + " ");
      String line =
          headers.isEmpty() ? "MSG " + to + total : "HMSG " + to + headers.length() + " " + total;
      return bytes(line + "\r\n" + headers + payload + "\r\n");
    }
  }

  @Provide
  Arbitrary<List<Delivery>> deliveries() {
    Arbitrary<byte[]> payload =
        Arbitraries.oneOf(
            payload(), Arbitraries.integers().between(0, 200_000).map(size -> new byte[size]));
    return Combinators.combine(
            Arbitraries.of("orders.new", "_INBOX.x.7", "a"),
            Arbitraries.of("", ACK.strip()),
            Arbitraries.oneOf(Arbitraries.just(new byte[0]), anyBlock()),
            payload)
        .as(
            (subject, reply, headers, data) ->
                new Delivery(
                    subject, reply, new String(headers, ISO_8859_1), new String(data, ISO_8859_1)))
        .list()
        .ofMaxSize(5);
  }

  @Property(tries = 3000)
  void jnats_reads_whatever_comes_out_and_the_original_block_can_be_had(
      @ForAll("anyBlock") byte[] block, @ForAll("payload") byte[] payload) {
    byte[] out = Wire.guarded(Wire.hmsg(ACK, block, payload));

    List<Wire.Received> messages = Wire.messages(out);
    assertThat(messages).hasSize(1);
    byte[] seen = bytes(messages.get(0).headers());
    assertThatCode(() -> new IncomingHeadersProcessor(seen)).doesNotThrowAnyException();
    assertThat(original(seen)).isEqualTo(block);
    assertThat(bytes(messages.get(0).payload())).isEqualTo(payload);
  }

  @Property(tries = 3000)
  void what_jnats_does_not_read_is_never_passed_as_harmless(@ForAll("anyBlock") byte[] block) {
    if (WireHeaders.kind(block, 0, block.length) != WireHeaders.Kind.HOSTILE) {
      assertThatCode(() -> new IncomingHeadersProcessor(block)).doesNotThrowAnyException();
    }
  }

  @Property(tries = 1000)
  void a_block_of_printable_lines_is_never_hostile(@ForAll("cleanBlock") byte[] block) {
    assertThat(WireHeaders.kind(block, 0, block.length)).isEqualTo(WireHeaders.Kind.PLAIN);
  }

  private static byte[] original(byte[] seen) {
    var headers = new IncomingHeadersProcessor(seen).getHeaders();
    String raw = headers == null ? null : headers.getFirst(WireHeaders.RAW);
    return raw == null ? seen : Base64.getDecoder().decode(raw);
  }

  @Provide
  Arbitrary<byte[]> payload() {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(200);
  }

  @Provide
  Arbitrary<byte[]> cleanBlock() {
    Arbitrary<String> name =
        Arbitraries.strings().withCharRange('!', '9').withCharRange(';', '~').ofMinLength(1);
    Arbitrary<String> value = Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(40);
    Arbitrary<String> separator = Arbitraries.of(":", ": ", ":   ");
    Arbitrary<String> line =
        Combinators.combine(name, separator, value).as((n, s, v) -> n + s + v + "\r\n");
    return line.list()
        .ofMaxSize(6)
        .map(lines -> bytes("NATS/1.0\r\n" + String.join("", lines) + "\r\n"));
  }

  @Provide
  Arbitrary<byte[]> anyBlock() {
    Arbitrary<byte[]> noise = Arbitraries.bytes().array(byte[].class).ofMaxSize(60);
    Arbitrary<byte[]> pieces =
        Arbitraries.of(
                "NATS/1.0",
                "\r\n",
                "\r",
                "\n",
                " ",
                ":",
                "Key",
                "value",
                "503",
                "409 Gone",
                "\t",
                "José",
                "\u0001",
                "Nats-Msg-Id: 1\r\n",
                "Contrail-Raw-Headers: AAAA\r\n",
                "+1",
                "")
            .list()
            .ofMaxSize(10)
            .map(words -> bytes("NATS/1.0" + String.join("", words) + "\r\n\r\n"));
    return Arbitraries.oneOf(noise, pieces, cleanBlock(), mutated());
  }

  private Arbitrary<byte[]> mutated() {
    return Combinators.combine(cleanBlock(), Arbitraries.longs())
        .as((block, seed) -> mutated(block, new Random(seed)));
  }

  private static byte[] mutated(byte[] block, Random random) {
    byte[] changed = block.clone();
    byte[] interesting = bytes(" \r\n\t:\u0000\u007f\u0080\u00e9A");
    for (int i = random.nextInt(3); i >= 0; i--) {
      changed[random.nextInt(changed.length)] = interesting[random.nextInt(interesting.length)];
    }
    return random.nextInt(4) == 0
        ? Arrays.copyOf(changed, random.nextInt(changed.length + 1))
        : changed;
  }

  @Provide
  Arbitrary<byte[]> cleanTraffic() {
    Arbitrary<byte[]> status =
        Arbitraries.of(
                "NATS/1.0 503\r\n\r\n",
                "NATS/1.0 409 Consumer Deleted\r\n\r\n",
                "NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 7\r\n\r\n",
                "NATS/1.0 408 Request Timeout\r\nNats-Pending-Messages: 1\r\n\r\n")
            .map(Wire::bytes);
    return traffic(
        Combinators.combine(reply(), cleanBlock(), payload()).as(Wire::hmsg),
        status.map(block -> Wire.hmsg("", block, new byte[0])));
  }

  @Provide
  Arbitrary<byte[]> anyTraffic() {
    return traffic(
        Combinators.combine(reply(), anyBlock(), payload()).as(Wire::hmsg), cleanTraffic());
  }

  private Arbitrary<String> reply() {
    return Arbitraries.of("", " _INBOX.abc.1", ACK);
  }

  private Arbitrary<byte[]> traffic(Arbitrary<byte[]> messages, Arbitrary<byte[]> others) {
    Arbitrary<byte[]> lines =
        Arbitraries.of(
                "PING\r\n", "PONG\r\n", "+OK\r\n", "-ERR 'Unknown'\r\n", "INFO {\"a\":\"b\"} \r\n")
            .map(Wire::bytes);
    Arbitrary<byte[]> plain = Combinators.combine(reply(), payload()).as(Wire::msg);
    return Arbitraries.oneOf(messages, others, lines, plain).list().ofMaxSize(12).map(Wire::join);
  }
}
