package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Headers;
import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import io.nats.client.impl.NatsMessage;
import io.nats.client.support.IncomingHeadersProcessor;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

class WireFuzzTest extends FuzzTargets {
  private static final long SUBSCRIPTION = 77;
  private static final String INBOX = "_INBOX.x.*";

  /** How large a message is, the server is believed, as by every client: room is made for it. */
  private static final Pattern LARGE = Pattern.compile("[0-9]{7,} *\r\n");

  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of(
        "wire", WireFuzzTest::wire,
        "wire-headers", WireFuzzTest::headers,
        "ack-subject", WireFuzzTest::ackSubject,
        "subject-pattern", WireFuzzTest::patterns,
        "pub-answer", WireFuzzTest::pubAnswer);
  }

  /** In whatever pieces it comes, the same goes on, and the same is handed over. */
  private static void wire(byte[] sent) {
    if (LARGE.matcher(new String(sent, ISO_8859_1)).find()) {
      return;
    }
    assertThat(passed(sent, 1)).isEqualTo(passed(sent, 2));
  }

  /** What the client would read, and what has a shortcut, with where it was refused. */
  private static List<String> passed(byte[] sent, long seed) {
    List<String> taken = new ArrayList<>();
    Shortcuts shortcuts = new Shortcuts();
    Shortcuts.Taker taker =
        message -> {
          Headers.parse(message.headerBlock());
          taken.add(message.subject() + " " + message.replyTo() + " " + message.data().length);
        };
    shortcuts.open(INBOX, taker);
    shortcuts.subscribed(INBOX, SUBSCRIPTION);
    try {
      taken.add(new String(Wire.guarded(sent, seed, shortcuts), ISO_8859_1));
    } catch (UncheckedIOException refused) {
      taken.add(String.valueOf(refused.getMessage()));
    } finally {
      // A shortcut does not keep its taker alive.
      Reference.reachabilityFence(taker);
    }
    return taken;
  }

  /** What is not hostile jnats reads, and of what is, it reads what is made of it. */
  private static void headers(byte[] block) {
    WireHeaders.Kind kind = WireHeaders.kind(block, 0, block.length);
    if (kind != WireHeaders.Kind.HOSTILE) {
      assertThat(new IncomingHeadersProcessor(block).getSerializedLength()).isEqualTo(block.length);
    }
    assertThat(WireHeaders.status(block).isPresent()).isEqualTo(kind == WireHeaders.Kind.STATUS);
    byte[] harmless = WireHeaders.harmless(block);
    assertThat(WireHeaders.kind(harmless, 0, harmless.length))
        .as("since it carries the original")
        .isEqualTo(WireHeaders.Kind.HOSTILE);
    String raw = new IncomingHeadersProcessor(harmless).getHeaders().getFirst(WireHeaders.RAW);
    assertThat(Base64.getDecoder().decode(raw)).isEqualTo(block);
    Headers.parse(block);
    WireMessage message = new WireMessage(block, 0, 0, new byte[0]);
    if (kind == WireHeaders.Kind.PLAIN) {
      Headers headers = Headers.parse(block);
      headers.forEach(line -> assertThat(message.hasHeader(line.name())).isTrue());
    }
  }

  private static void ackSubject(byte[] data) {
    String subject = new String(data, UTF_8);
    try {
      AckSubject ack = AckSubject.parse(subject);
      assertThat(ack.deliveries()).isNotNegative();
      assertThat(ack.sequence()).isNotNegative();
      assertThat(ack.publishedNanos()).isNotNegative();
      AckSubject.consumerSequence(subject);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageStartingWith("not the reply subject of a delivery");
    }
  }

  /** Two patterns and a subject, a line each. */
  private static void patterns(byte[] data) {
    String[] lines = new String(data, UTF_8).split("\n", -1);
    if (lines.length != 3
        || lines[2].isEmpty()
        || List.of(lines[2].split("\\.", -1)).contains("")) {
      return;
    }
    SubjectPattern one = SubjectPattern.of(lines[0]);
    SubjectPattern other = SubjectPattern.of(lines[1]);
    assertThat(one.overlaps(other)).isEqualTo(other.overlaps(one));
    assertThat(one.covers(one)).isTrue();
    if (one.matches(lines[2]) && other.matches(lines[2])) {
      assertThat(one.overlaps(other)).isTrue();
    }
    if (one.covers(other)) {
      assertThat(!other.matches(lines[2]) || one.matches(lines[2])).isTrue();
    }
  }

  private static void pubAnswer(byte[] data) {
    assertThat(PubAnswer.of(NatsMessage.builder().subject("a").data(data).build())).isNotNull();
  }
}
