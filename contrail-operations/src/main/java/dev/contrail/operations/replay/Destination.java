package dev.contrail.operations.replay;

import dev.contrail.plan.Outlook;
import java.time.Duration;
import java.util.Optional;

/**
 * Where a copy goes.
 *
 * @param consumer for whom it is; empty where any consumer of the stream may take it
 * @param duplicateWindow for how long the stream knows ids again
 */
record Destination(
    String subject,
    String stream,
    Optional<String> consumer,
    Outlook outlook,
    Duration duplicateWindow) {}
