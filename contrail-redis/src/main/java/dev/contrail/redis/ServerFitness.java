package dev.contrail.redis;

import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a Redis can hold a ledger, and what would make it forget completions early. */
final class ServerFitness {
  private static final Logger log = LoggerFactory.getLogger(RedisLedger.class);
  private static final List<String> SETTINGS =
      List.of("maxmemory", "maxmemory-policy", "appendonly");

  private ServerFitness() {}

  /**
   * Looks at the server and warns in the log. What it does not want to tell is taken to be fine.
   *
   * @throws RedisLedgerException when it cannot hold a ledger
   */
  static void check(RedisLink link) {
    Map<String, String> info = new HashMap<>();
    asked(link, RedisAsyncCommands::info).ifPresent(text -> read(text, info));
    refusal(info)
        .ifPresent(
            why -> {
              throw new RedisLedgerException("Redis at " + link + " " + why);
            });
    Map<String, String> settings = new HashMap<>();
    for (String setting : SETTINGS) {
      asked(link, redis -> redis.configGet(setting)).ifPresent(settings::putAll);
    }
    warnings(settings).forEach(warning -> log.warn("Redis at {} {}", link, warning));
  }

  static Optional<String> refusal(Map<String, String> info) {
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

  static List<String> warnings(Map<String, String> settings) {
    List<String> warnings = new ArrayList<>();
    String policy = settings.getOrDefault("maxmemory-policy", "noeviction");
    if (!policy.equals("noeviction") && !settings.getOrDefault("maxmemory", "0").equals("0")) {
      warnings.add(
          "evicts keys when its memory is full (maxmemory-policy "
              + policy
              + "): completions may be forgotten early, and their messages processed twice; use"
              + " noeviction");
    }
    if (settings.getOrDefault("appendonly", "yes").equals("no")) {
      warnings.add(
          "writes no append-only file (appendonly no): completions since its last snapshot are"
              + " forgotten when it restarts, and their messages may be processed twice; use"
              + " appendonly yes");
    }
    return warnings;
  }

  private static void read(String text, Map<String, String> info) {
    text.lines()
        .map(line -> line.split(":", 2))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> info.put(parts[0], parts[1].strip()));
  }

  private static <T> Optional<T> asked(
      RedisLink link, Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> question) {
    try {
      return Optional.of(link.ask(question).join());
    } catch (CompletionException e) {
      log.debug("Redis at {} does not tell: {}", link, e.getMessage());
      return Optional.empty();
    }
  }
}
