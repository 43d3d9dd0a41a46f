package dev.contrail.console.desk;

import java.time.Duration;
import java.time.InstantSource;

/**
 * All that the console shows and does.
 *
 * @param glance what many pages ask for at once
 */
public record Desk(
    Account account,
    LetterDesk letters,
    DecisionDesk decisions,
    ReplayDesk replays,
    StreamDesk streams,
    AuditDesk audits,
    Lookout lookout,
    WorkerDesk workers,
    DrillReports drills,
    RecentChanges changes,
    InstantSource clock,
    Remembered<Overview> glance) {
  // Less than pages wait before they ask after a change, so that none is missed.
  static final Duration GLANCE = Duration.ofMillis(250);

  /** One at which nobody has looked yet. */
  public Desk(
      Account account,
      LetterDesk letters,
      DecisionDesk decisions,
      ReplayDesk replays,
      StreamDesk streams,
      AuditDesk audits,
      Lookout lookout,
      WorkerDesk workers,
      DrillReports drills,
      RecentChanges changes,
      InstantSource clock) {
    this(
        account,
        letters,
        decisions,
        replays,
        streams,
        audits,
        lookout,
        workers,
        drills,
        changes,
        clock,
        new Remembered<>(GLANCE));
  }

  /** How all of it stands, of this moment. */
  public Overview overview() {
    return glance.get(() -> Overview.of(this), clock.instant());
  }
}
