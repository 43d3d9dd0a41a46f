package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ServerVersionTest {
  private static ServerVersion version(String text) {
    return ServerVersion.in(text).orElseThrow();
  }

  @Test
  void the_version_is_read_from_what_the_program_says() {
    assertThat(ServerVersion.in("nats-server: v2.9.10")).contains(new ServerVersion(2, 9, 10));
    assertThat(ServerVersion.in("nats-server: v2.12.0-preview.1"))
        .contains(new ServerVersion(2, 12, 0));
  }

  @Test
  void a_text_without_a_version_has_none() {
    assertThat(ServerVersion.in("bash: no such file")).isEmpty();
  }

  @Test
  void versions_are_ordered_as_numbers() {
    assertThat(
            Stream.of("2.10.27", "2.9.10", "2.15.1", "2.9.9")
                .map(ServerVersionTest::version)
                .sorted())
        .hasToString("[2.9.9, 2.9.10, 2.10.27, 2.15.1]");
  }

  @Test
  void a_feature_is_there_from_its_version_on() {
    assertThat(version("2.9.25").isAtLeast(2, 10)).isFalse();
    assertThat(version("2.10.0").isAtLeast(2, 10)).isTrue();
    assertThat(version("3.0.0").isAtLeast(2, 10)).isTrue();
  }
}
