package dev.contrail.console.metrics;

import dev.contrail.console.health.Readiness;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.operations.guard.GuardStatus;
import dev.contrail.operations.index.OpenTotal;
import dev.contrail.operations.index.ReplayTotals;
import dev.contrail.operations.index.StateTotal;
import dev.contrail.operations.schedule.TaskStatus;
import dev.contrail.operations.watch.OrphanTotal;
import dev.contrail.operations.watch.StoreFill;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that is measured, at one moment.
 *
 * @param deadLetters those that are open
 * @param states all dead letters
 * @param replays what became of them since this process began
 * @param stores when they were last looked at; empty before the first time
 * @param orphans of the last scan; empty before the first
 * @param findings of the doctor's last look; empty before the first
 * @param guard empty before it is started
 */
public record Facts(
    Instant now,
    List<OpenTotal> deadLetters,
    List<StateTotal> states,
    ReplayTotals replays,
    Optional<List<StoreFill>> stores,
    Optional<List<OrphanTotal>> orphans,
    Optional<List<Finding>> findings,
    Optional<GuardStatus> guard,
    List<TaskStatus> tasks,
    Readiness readiness) {}
