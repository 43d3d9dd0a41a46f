package dev.contrail.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Map;

class RunNoteFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("run-note", RunNoteFuzzTest::note);
  }

  private static void note(byte[] data) {
    RunNote.parse(new String(data, UTF_8))
        .ifPresent(note -> assertThat(RunNote.parse(note.text())).contains(note));
  }
}
