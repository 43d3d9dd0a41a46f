package dev.contrail.console.desk;

import java.time.Duration;
import java.time.Instant;
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
  // Whoever shows something lets it go at every change that pages are told of.
  static final Duration GLANCE = Duration.ofSeconds(1);

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

  /** What was looked at before is not shown any more: pages are about to be told of a change. */
  public void expire() {
    Instant now = clock.instant();
    glance.expire(now);
    letters.expire(now);
  }
}
