package dev.contrail.cli.work;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

class RetryAfterFuzzTest extends FuzzTargets {
  private static final Instant NOW = Instant.parse("1994-11-06T08:00:00Z");

  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of(
        "retry-after-header", RetryAfterFuzzTest::header,
        "retry-after-line", RetryAfterFuzzTest::line);
  }

  private static void header(byte[] data) {
    RetryAfterHeader.parse(new String(data, UTF_8), NOW)
        .ifPresent(delay -> assertThat(delay).isGreaterThanOrEqualTo(Duration.ZERO));
  }

  /** What a command prints, line by line. */
  private static void line(byte[] data) {
    RetryAfterLine found = new RetryAfterLine();
    new String(data, UTF_8).lines().forEach(found);
    found.delay().ifPresent(delay -> assertThat(delay).isGreaterThanOrEqualTo(Duration.ZERO));
  }
}
