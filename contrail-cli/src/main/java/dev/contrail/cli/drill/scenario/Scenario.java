package dev.contrail.cli.drill.scenario;

import io.nats.client.api.RetentionPolicy;
import java.util.Locale;

/** What can be drilled. */
public enum Scenario {
  EVIDENCE(
      "Crashes around evidence and Term",
      "Workers are killed before a dead letter is stored, after it and before the Term, and after"
          + " the Term.",
      RetentionPolicy.WorkQueue),
  ACK(
      "Crashes around record and ack",
      "Workers are killed before a completion is recorded, between record and ack, and after the"
          + " ack; then the consumer forgets every ack.",
      RetentionPolicy.Limits),
  DOWNTIME(
      "Long downtime",
      "Workers are killed between record and ack, and none is there for three times AckWait.",
      RetentionPolicy.Limits),
  RESTART(
      "Server killed and restarted",
      "The server is killed, and ended in order, under a worker that lives on.",
      RetentionPolicy.Limits),
  SLOW(
      "Handlers slower than AckWait",
      "Handlers take two and a half times AckWait; then workers are killed while they run.",
      RetentionPolicy.WorkQueue),
  FROZEN(
      "Worker frozen past its lease",
      "One of two workers is stopped with SIGSTOP until the other has done its work, and"
          + " continued.",
      RetentionPolicy.Limits),
  FULL(
      "Dead-letter store full",
      "The dead-letter store refuses everything for twice AckWait while messages die, then has room"
          + " again.",
      RetentionPolicy.WorkQueue),
  LEDGER(
      "Ledger down",
      "The ledger refuses everything for twice AckWait in the midst of work, then takes records"
          + " again.",
      RetentionPolicy.WorkQueue),
  POISON(
      "Poison storm beside healthy work",
      "Two of five messages are poison, of both kinds, and workers are killed at random besides.",
      RetentionPolicy.WorkQueue),
  REPLAY(
      "Replay killed",
      "A process that replays dead letters is killed at each of its steps and resumed.",
      RetentionPolicy.WorkQueue);

  private final String title;
  private final String what;
  private final RetentionPolicy retention;

  Scenario(String title, String what, RetentionPolicy retention) {
    this.title = title;
    this.what = what;
    this.retention = retention;
  }

  /** As it is named on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String title() {
    return title;
  }

  /** What it does, in a sentence. */
  public String what() {
    return what;
  }

  /** Whether the server itself is killed. */
  public boolean killsServer() {
    return this == RESTART;
  }

  RetentionPolicy retention() {
    return retention;
  }

  Script script() {
    return switch (this) {
      case EVIDENCE -> new EvidenceScript();
      case ACK -> new AckScript();
      case DOWNTIME -> new DowntimeScript();
      case RESTART -> new RestartScript();
      case SLOW -> new SlowScript();
      case FROZEN -> new FrozenScript();
      case FULL -> new FullScript();
      case LEDGER -> new LedgerScript();
      case POISON -> new PoisonScript();
      case REPLAY -> new ReplayScript();
    };
  }
}
