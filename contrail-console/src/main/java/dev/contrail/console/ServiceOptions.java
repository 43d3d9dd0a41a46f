package dev.contrail.console;

import dev.contrail.console.notice.NoticeSettings;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.doctor.DoctorOptions;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.orphans.OrphanScan;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What a service does. Immutable; begin with {@link #DEFAULT}, which deletes nothing.
 *
 * @param guard what the guard looks at, and what it may take messages from
 * @param orphans what is scanned for
 * @param orphansEvery how long it rests between scans
 * @param doctor what the doctor cannot learn from the server
 * @param skipped rules of the doctor that do not matter
 * @param doctorEvery how long the doctor rests
 * @param console what pages show
 * @param notices where notices are sent
 */
public record ServiceOptions(
    GuardOptions guard,
    OrphanScan.Wanted orphans,
    Duration orphansEvery,
    DoctorOptions doctor,
    Set<Rule> skipped,
    Duration doctorEvery,
    ConsoleOptions console,
    NoticeSettings notices) {
  private static final Duration OFTEN = Duration.ofMinutes(5);

  /** Looks at everything every five minutes. */
  public static final ServiceOptions DEFAULT =
      new ServiceOptions(
          GuardOptions.DEFAULT,
          new OrphanScan.Wanted(List.of(), Duration.ofHours(24), false),
          OFTEN,
          DoctorOptions.defaults(),
          Set.of(),
          OFTEN,
          ConsoleOptions.DEFAULT,
          NoticeSettings.LOG_ONLY);

  public ServiceOptions {
    skipped = Set.copyOf(skipped);
  }

  /** The same with another guard. */
  public ServiceOptions withGuard(GuardOptions options) {
    return new ServiceOptions(
        options, orphans, orphansEvery, doctor, skipped, doctorEvery, console, notices);
  }

  /** The same with other scans. */
  public ServiceOptions withOrphans(OrphanScan.Wanted wanted, Duration every) {
    return new ServiceOptions(guard, wanted, every, doctor, skipped, doctorEvery, console, notices);
  }

  /** The same with another doctor. */
  public ServiceOptions withDoctor(DoctorOptions options, Set<Rule> without, Duration every) {
    return new ServiceOptions(
        guard, orphans, orphansEvery, options, without, every, console, notices);
  }

  /** The same with another console. */
  public ServiceOptions withConsole(ConsoleOptions options) {
    return new ServiceOptions(
        guard, orphans, orphansEvery, doctor, skipped, doctorEvery, options, notices);
  }

  /** The same with notices sent elsewhere. */
  public ServiceOptions withNotices(NoticeSettings settings) {
    return new ServiceOptions(
        guard, orphans, orphansEvery, doctor, skipped, doctorEvery, console, settings);
  }
}
