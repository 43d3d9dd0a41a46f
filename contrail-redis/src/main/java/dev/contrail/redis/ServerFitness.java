package dev.contrail.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a Redis can hold a ledger, and what would make it forget completions early. What it does
 * not tell is taken to be fine.
 *
 * @param info what it says of itself, by name
 */
record ServerFitness(Map<String, String> info) {
  /** Reads the answer to {@code INFO}. */
  static ServerFitness of(String text) {
    Map<String, String> info = new HashMap<>();
    text.lines()
        .map(line -> line.split(":", 2))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> info.put(parts[0], parts[1].strip()));
    return new ServerFitness(info);
  }

  Optional<String> refusal() {
    if ("1".equals(info.get("cluster_enabled"))) {
      return Optional.of(
          "is a cluster, which a ledger cannot use; name a Redis that stands alone, or use the"
              + " ledger in JetStream");
    }
    if ("slave".equals(info.get("role"))) {
      return Optional.of(
          "is a replica, which may not know what was recorded last; name its primary");
    }
    return Optional.empty();
  }

  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    String policy = info.getOrDefault("maxmemory_policy", "noeviction");
    if (!policy.equals("noeviction") && !info.getOrDefault("maxmemory", "0").equals("0")) {
      warnings.add(
          "evicts keys when its memory is full (maxmemory-policy "
              + policy
              + "): completions may be forgotten early, and their messages processed twice; use"
              + " noeviction");
    }
    if (info.getOrDefault("aof_enabled", "1").equals("0")) {
      warnings.add(
          "writes no append-only file (appendonly no): completions since its last snapshot are"
              + " forgotten when it restarts, and their messages may be processed twice; use"
              + " appendonly yes");
    }
    return warnings;
  }
}
