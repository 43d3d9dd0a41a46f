package dev.contrail.operations.doctor;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What the doctor cannot learn from the server.
 *
 * @param deliveryLimit after how many deliveries Contrail's workers give up
 * @param longestDelay the longest retry delay of Contrail's workers
 * @param forgottenAfter from when on a durable that nobody attends is taken for forgotten
 * @param over how long it watches, for rates; zero looks once
 * @param syncInterval how long after a write the server syncs its disk; zero: at once
 * @param ledger the ledger of Contrail's workers, if it forgets by time
 * @param worked consumers that Contrail works though nothing on the server tells it, such as {@code
 *     ORDERS/billing}
 */
public record DoctorOptions(
    long deliveryLimit,
    Duration longestDelay,
    Duration forgottenAfter,
    Duration over,
    Optional<Duration> syncInterval,
    LedgerCheck ledger,
    Set<String> worked) {
  public DoctorOptions {
    worked = Set.copyOf(worked);
  }

  /** With the defaults of workers, watching for a second. */
  public static DoctorOptions defaults() {
    return new DoctorOptions(
        100,
        Duration.ofHours(1),
        Duration.ofDays(7),
        Duration.ofSeconds(1),
        Optional.empty(),
        LedgerCheck.none(),
        Set.of());
  }

  /** The same for workers with other settings. */
  public DoctorOptions withWorkers(long limit, Duration delay, LedgerCheck check) {
    return new DoctorOptions(limit, delay, forgottenAfter, over, syncInterval, check, worked);
  }

  /** The same, but a durable is forgotten sooner or later. */
  public DoctorOptions withForgottenAfter(Duration time) {
    return new DoctorOptions(deliveryLimit, longestDelay, time, over, syncInterval, ledger, worked);
  }

  /** The same, watching for longer or not at all. */
  public DoctorOptions withOver(Duration time) {
    return new DoctorOptions(
        deliveryLimit, longestDelay, forgottenAfter, time, syncInterval, ledger, worked);
  }

  /** The same for a server that syncs its disk so. */
  public DoctorOptions withSyncInterval(Optional<Duration> interval) {
    return new DoctorOptions(
        deliveryLimit, longestDelay, forgottenAfter, over, interval, ledger, worked);
  }

  /** The same where Contrail works these too, such as {@code ORDERS/billing}. */
  public DoctorOptions withWorked(Set<String> consumers) {
    return new DoctorOptions(
        deliveryLimit, longestDelay, forgottenAfter, over, syncInterval, ledger, consumers);
  }
}
