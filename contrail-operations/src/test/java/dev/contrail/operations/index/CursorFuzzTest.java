package dev.contrail.operations.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Map;

class CursorFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("cursor", CursorFuzzTest::cursor);
  }

  private static void cursor(byte[] data) {
    String text = new String(data, UTF_8);
    try {
      Cursor cursor = Cursor.parse(text);
      assertThat(Cursor.parse(cursor.toString())).isEqualTo(cursor);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageStartingWith("'" + text + "' is no place in a list");
    }
  }
}
