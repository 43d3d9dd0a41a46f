package dev.contrail.cli.drill.report;

import dev.contrail.cli.drill.account.Account;
import dev.contrail.cli.drill.account.Breach;
import dev.contrail.cli.drill.account.Duplicates;
import java.util.List;
import java.util.Locale;

/**
 * What one scenario came to. Scripts rely on the names of the fields.
 *
 * @param what it did, in a sentence
 * @param why it was skipped, or could not be ended; empty otherwise
 * @param kills of processes, with SIGKILL
 * @param faults all that was done to workers, stores and the server, kills among them
 * @param recoveryMillis for each fault, until what was in flight was settled
 * @param recordAgeMillis how old the record of a completion was when its message was acknowledged
 * @param doneMillis when work was done for the first time
 * @param notes what else is to be known, a sentence each
 */
public record ScenarioResult(
    String scenario,
    String title,
    String what,
    Verdict verdict,
    String why,
    int rounds,
    int kills,
    int faults,
    int messages,
    int processed,
    int dead,
    int resolved,
    int lost,
    int evidenceLost,
    int doubleLetters,
    int runs,
    Duplicates duplicates,
    List<Long> recoveryMillis,
    List<Long> recordAgeMillis,
    long tookMillis,
    List<Breach> breaches,
    List<String> notes,
    List<Moment> timeline,
    List<Long> doneMillis,
    Timing timing) {
  /** How it ended. */
  public enum Verdict {
    KEPT,
    BROKEN,
    SKIPPED;

    /** As it is shown. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One that was not drilled. */
  public static ScenarioResult skipped(String scenario, String title, String what, String why) {
    return new ScenarioResult(
        scenario,
        title,
        what,
        Verdict.SKIPPED,
        why,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        Duplicates.NONE,
        List.of(),
        List.of(),
        0,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Timing.UNKNOWN);
  }

  /** What it came to with what a later round of it did; plots are those of the later one. */
  public ScenarioResult plus(ScenarioResult next) {
    return new ScenarioResult(
        scenario,
        title,
        what,
        verdict == Verdict.BROKEN ? verdict : next.verdict,
        why.isEmpty() ? next.why : why,
        rounds + next.rounds,
        kills + next.kills,
        faults + next.faults,
        messages + next.messages,
        processed + next.processed,
        dead + next.dead,
        resolved + next.resolved,
        lost + next.lost,
        evidenceLost + next.evidenceLost,
        doubleLetters + next.doubleLetters,
        runs + next.runs,
        duplicates.plus(next.duplicates),
        together(recoveryMillis, next.recoveryMillis),
        together(recordAgeMillis, next.recordAgeMillis),
        tookMillis + next.tookMillis,
        together(breaches, next.breaches),
        together(notes, next.notes).stream().distinct().toList(),
        next.timeline,
        next.doneMillis,
        next.timing);
  }

  private static <T> List<T> together(List<T> some, List<T> others) {
    return java.util.stream.Stream.concat(some.stream(), others.stream()).toList();
  }

  /** What is told of a run by those who looked at it. */
  public record Course(
      int kills,
      int faults,
      List<Long> recoveryMillis,
      List<Long> recordAgeMillis,
      long tookMillis,
      List<String> notes,
      List<Moment> timeline,
      List<Long> doneMillis,
      Timing timing) {}

  /** One round. */
  public static ScenarioResult of(
      String scenario, String title, String what, Account account, Course course) {
    return new ScenarioResult(
        scenario,
        title,
        what,
        account.breaches().isEmpty() ? Verdict.KEPT : Verdict.BROKEN,
        "",
        1,
        course.kills,
        course.faults,
        account.messages(),
        account.processed(),
        account.dead(),
        account.resolved(),
        account.lost(),
        account.evidenceLost(),
        account.doubleLetters(),
        account.runs(),
        account.duplicates(),
        course.recoveryMillis,
        course.recordAgeMillis,
        course.tookMillis,
        account.breaches(),
        course.notes,
        course.timeline,
        course.doneMillis,
        course.timing);
  }

  /** The slowest recovery, or 0. */
  public long slowestRecovery() {
    return recoveryMillis.stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
