package dev.contrail.console.metrics;

import java.util.List;
import java.util.Optional;

/** What may rise and fall. Names and labels are relied upon by alerts and do not change. */
enum GaugeFamily {
  DEAD_LETTERS_OPEN("contrail.dead.letters.open", false, "Open dead letters", "stream reason"),
  DEAD_LETTERS_OLDEST(
      "contrail.dead.letters.oldest.age",
      true,
      "How long ago the oldest open dead letter died",
      "stream reason"),
  DEAD_LETTERS("contrail.dead.letters", false, "Dead letters that are kept", "stream state"),
  STORE_MESSAGES("contrail.store.messages", false, "Messages in a stream of Contrail's", "store"),
  STORE_MESSAGES_LIMIT("contrail.store.messages.limit", false, "How many it takes", "store"),
  STORE_BYTES("contrail.store.bytes", false, "What they weigh", "store"),
  STORE_BYTES_LIMIT("contrail.store.bytes.limit", false, "How many bytes it takes", "store"),
  ORPHANS("contrail.orphans", false, "Messages that nobody takes", "stream class"),
  ORPHANS_OLDEST(
      "contrail.orphans.oldest.age",
      true,
      "How long ago the oldest orphan was published",
      "stream class"),
  FINDINGS("contrail.doctor.findings", false, "What is wrong", "severity code"),
  GUARD_LEASE("contrail.guard.lease.held", false, "Whether this guard leads: 1 or 0", ""),
  GUARD_WAITING("contrail.guard.waiting", false, "Messages that are to be released later", ""),
  GUARD_FAILING("contrail.guard.failing", false, "Whether something failed lately: 1 or 0", ""),
  GUARD_SWEEP("contrail.guard.last.sweep.age", true, "How long ago the last sweep ended", ""),
  TASK_FAILING("contrail.task.failing", false, "Whether it failed the last time: 1 or 0", "task"),
  TASK_SUCCESS("contrail.task.last.success.age", true, "How long ago it went well", "task"),
  READY("contrail.ready", false, "Whether this check of /readyz is fine: 1 or 0", "check");

  private static final String SECONDS = "seconds";

  private final String meter;
  private final boolean inSeconds;
  private final String help;
  private final String labels;

  GaugeFamily(String meter, boolean inSeconds, String help, String labels) {
    this.meter = meter;
    this.inSeconds = inSeconds;
    this.help = help;
    this.labels = labels;
  }

  String meter() {
    return meter;
  }

  Optional<String> unit() {
    return inSeconds ? Optional.of(SECONDS) : Optional.empty();
  }

  String help() {
    return help;
  }

  List<String> labels() {
    return labels.isEmpty() ? List.of() : List.of(labels.split(" ", -1));
  }
}
