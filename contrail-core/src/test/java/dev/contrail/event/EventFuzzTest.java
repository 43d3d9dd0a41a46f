package dev.contrail.event;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Headers;
import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

class EventFuzzTest extends FuzzTargets {
  private static final String PREFIX = "contrail";

  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("event", EventFuzzTest::event, "replay-copy", EventFuzzTest::copy);
  }

  /** A line with the subject, then the header block. */
  private static void event(byte[] data) {
    int end = new String(data, ISO_8859_1).indexOf('\n');
    if (end < 0) {
      return;
    }
    String subject = new String(data, 0, end, UTF_8);
    Headers headers = Headers.parse(Arrays.copyOfRange(data, end + 1, data.length));
    Optional<EventAddress> address = EventAddress.ofSubject(PREFIX, subject);
    if (address.isEmpty()) {
      return;
    }
    assertThat(address.get().subject(PREFIX)).isEqualTo(subject);
    Event event;
    try {
      event = EventFormat.decode(address.get(), headers);
    } catch (UnreadableEventException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      return;
    }
    assertThat(EventFormat.decode(address.get(), EventFormat.encode(event))).isEqualTo(event);
  }

  /** Whatever headers a message claims to be a copy with. */
  private static void copy(byte[] block) {
    Optional<ReplayCopy> copy = ReplayCopy.read(Headers.parse(block));
    if (copy.isEmpty()) {
      return;
    }
    Step.Replay replay =
        new Step.Replay(
            "plan",
            "orders.eu",
            "ORDERS",
            Optional.empty(),
            0,
            copy.get().entry(),
            1,
            Optional.empty());
    assertThat(ReplayCopy.read(Headers.parse(copy.get().headerBlock(replay, block))))
        .isEqualTo(copy);
  }
}
