package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.account.Facts;
import dev.contrail.cli.drill.account.Letter;
import dev.contrail.cli.drill.account.Run;
import dev.contrail.cli.drill.place.Observer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long it took after each fault until what had been begun was settled. */
final class Recovery {
  private Recovery() {}

  /** In milliseconds, for each fault in order. */
  static List<Long> of(Facts facts, List<Long> faultMicros) {
    Map<Long, Long> settled = settled(facts);
    Map<Long, Long> begun = new HashMap<>();
    facts.runs().forEach(run -> begun.merge(run.sequence(), run.startMicros(), Math::min));
    List<Long> recoveries = new ArrayList<>();
    for (long fault : faultMicros) {
      long last = firstRunAfter(facts, fault);
      for (Map.Entry<Long, Long> run : begun.entrySet()) {
        long until = settled.getOrDefault(run.getKey(), 0L);
        if (run.getValue() < fault && until > fault) {
          last = Math.max(last, until);
        }
      }
      if (last > fault) {
        recoveries.add((last - fault) / 1_000);
      }
    }
    return recoveries;
  }

  private static long firstRunAfter(Facts facts, long fault) {
    return facts.runs().stream()
        .mapToLong(Run::startMicros)
        .filter(start -> start > fault)
        .findFirst()
        .orElse(0);
  }

  private static Map<Long, Long> settled(Facts facts) {
    Map<Long, Long> settled = new HashMap<>();
    facts.letters().values().forEach(it -> settled.put(it.sequence(), at(it)));
    settled.putAll(facts.recordedMicros());
    facts.acked().forEach((sequence, ack) -> settled.put(sequence, ack.micros()));
    return settled;
  }

  private static long at(Letter letter) {
    return letter.deadMicros();
  }

  /** How old each record was when its message was acknowledged. */
  static List<Long> recordAges(Facts facts) {
    List<Long> ages = new ArrayList<>();
    for (Map.Entry<Long, Observer.Acked> ack : facts.acked().entrySet()) {
      Long recorded = facts.recordedMicros().get(ack.getKey());
      if (recorded != null) {
        ages.add(Math.max(0, (ack.getValue().micros() - recorded) / 1_000));
      }
    }
    return ages.stream().sorted().toList();
  }
}
