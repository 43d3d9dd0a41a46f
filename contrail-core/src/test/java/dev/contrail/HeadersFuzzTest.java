package dev.contrail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.time.Duration;
import java.util.Map;

class HeadersFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("headers", HeadersFuzzTest::headers, "duration", HeadersFuzzTest::duration);
  }

  /** Any bytes are headers; what is written of them is read as the same. */
  private static void headers(byte[] data) {
    Headers read = Headers.parse(data);
    Headers again = Headers.parse(read.block());
    assertThat(again.size()).isEqualTo(read.size());
    assertThat(Headers.parse(again.block())).isEqualTo(again);
    read.forEach(line -> assertThat(read.first(line.name())).isPresent());
  }

  private static void duration(byte[] data) {
    String text = new String(data, UTF_8);
    Duration duration;
    try {
      duration = Durations.parse("wait", text);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageStartingWith("wait: '" + text + "' ");
      return;
    }
    assertThat(duration).isBetween(Duration.ZERO, Duration.ofNanos(Long.MAX_VALUE));
    String shown = Durations.format(duration);
    if (!shown.equals("<1ms")) {
      assertThat(Durations.parse("wait", shown)).isEqualTo(Duration.ofMillis(duration.toMillis()));
    }
  }
}
