package dev.contrail.redaction;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RedactionFuzzTest extends FuzzTargets {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
  private static final Redaction SECRETS = Redaction.of(List.of(), List.of("$..secret"));

  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("json-secret", RedactionFuzzTest::secrets, "json-path", RedactionFuzzTest::path);
  }

  /** Whatever a parser finds under that name is blanked out, and all else is as it was. */
  private static void secrets(byte[] data) {
    byte[] seen = SECRETS.apply(data);
    Optional<JsonNode> json = json(data).filter(JsonNode::isContainer);
    if (json.isEmpty()) {
      return;
    }
    assertThat(json(seen).map(RedactionFuzzTest::holdsSecret))
        .as("of %s", new String(seen, UTF_8))
        .isNotEqualTo(Optional.of(true));
    if (json.get().findValue("secret") == null) {
      assertThat(seen.length == data.length || new String(seen, UTF_8).equals(Redaction.WITHHELD))
          .isTrue();
    }
  }

  private static boolean holdsSecret(JsonNode json) {
    return json.findValues("secret").stream()
        .anyMatch(value -> !value.isString() || !value.asString().equals(Redaction.MARK));
  }

  private static Optional<JsonNode> json(byte[] data) {
    try {
      return Optional.of(JSON.readTree(data));
    } catch (JacksonException none) {
      return Optional.empty();
    }
  }

  /** A line with a path, then the payload. */
  private static void path(byte[] data) {
    int end = new String(data, ISO_8859_1).indexOf('\n');
    String path = new String(data, 0, Math.max(0, end), UTF_8);
    byte[] payload = Arrays.copyOfRange(data, end + 1, data.length);
    try {
      byte[] once = Redaction.of(List.of(), List.of(path)).apply(payload);
      assertThat(Redaction.of(List.of(), List.of(path)).apply(once)).isEqualTo(once);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageStartingWith("'" + path + "' is no path into JSON");
    }
  }
}
