package dev.contrail.fuzzing;

import java.util.Map;

/** One parser with a fault that nobody finds by chance, and one with none. */
class PlantedTargets extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("planted", PlantedTargets::planted, "harmless", data -> {});
  }

  private static void planted(byte[] data) {
    if (data.length > 3 && data[0] == 'a' && data[1] == 'b' && data[2] == 'c' && data[3] == 'd') {
      throw new IllegalStateException("planted");
    }
  }
}
