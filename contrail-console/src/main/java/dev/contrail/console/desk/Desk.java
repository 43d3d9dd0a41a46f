package dev.contrail.console.desk;

import java.time.InstantSource;

/** All that the console shows and does. */
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
    InstantSource clock) {}
