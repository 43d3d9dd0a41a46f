package dev.contrail.jetstream;

import dev.contrail.ledger.LedgerScope;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What Contrail's streams, buckets and subjects are called. All begin with the prefix: {@code
 * contrail.dlq.…} is kept in {@code CONTRAIL_DLQ}. Installations with prefixes that differ in more
 * than their case do not meet on one server.
 */
public record Names(String prefix) {
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,31}");

  /** With the prefix {@code contrail}. */
  public static final Names DEFAULT = new Names("contrail");

  /**
   * With a prefix of its own.
   *
   * @throws ContrailException when it cannot be part of a subject and of a stream's name
   */
  public Names {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new ContrailException(
          "The prefix “"
              + prefix
              + "” is not accepted: it must be 1 to 32 letters, digits, - or _, a letter first.");
    }
  }

  /** Where dead letters and their parts are kept. */
  public String deadLetterStream() {
    return name("DLQ");
  }

  /** Where it is kept what was done with each dead letter. */
  public String eventStream() {
    return name("EVENTS");
  }

  /** Where completed sequences are kept. */
  public String ledgerStream() {
    return name("LEDGER");
  }

  /** Where the server's advisories are kept until they are read. */
  public String advisoryStream() {
    return name("ADVISORIES");
  }

  /** Who leads among guards and reapers. */
  public String leasesBucket() {
    return name("LEASES");
  }

  /** Notes on messages that are retried beyond the delivery limit. */
  public String retriesBucket() {
    return name("RETRIES");
  }

  /** What each worker is doing. */
  public String workersBucket() {
    return name("WORKERS");
  }

  /** Which workers were told to pause, and by whom. */
  public String pausesBucket() {
    return name("PAUSES");
  }

  /** Who may use the console. */
  public String tokensBucket() {
    return name("TOKENS");
  }

  /** All dead letters. */
  public String deadLetterSubjects() {
    return prefix + ".dlq.>";
  }

  /** The dead letters of one consumer. */
  public String deadLetterSubjects(String stream, String consumer) {
    return prefix + ".dlq." + stream + "." + consumer + ".>";
  }

  /** The parts of all large dead letters. */
  public String partSubjects() {
    return prefix + ".part.>";
  }

  /** The parts of large dead letters of one consumer. */
  public String partSubjects(String stream, String consumer) {
    return prefix + ".part." + stream + "." + consumer + ".>";
  }

  /** All events of dead letters. */
  public String eventSubjects() {
    return prefix + ".event.>";
  }

  /** The events of the dead letters of one consumer. */
  public String eventSubjects(String stream, String consumer) {
    return prefix + ".event." + stream + "." + consumer + ".*.*.>";
  }

  /** Where workers tell which copies of replays they run, and how those ended. */
  List<String> replaySubjects(String stream, String consumer) {
    String ofAnyEntry = prefix + ".event.*.*.*.*.";
    return List.of(
        ofAnyEntry + "run.*.*",
        ofAnyEntry + "outcome.*",
        ofAnyEntry + "skipped.*." + stream + "." + consumer + ".*");
  }

  /** All records of completion. */
  public String ledgerSubjects() {
    return prefix + ".ledger.>";
  }

  /** The records of completion of one consumer. */
  public String ledgerSubjects(String stream, String consumer) {
    return prefix + ".ledger." + stream + "." + consumer + ".>";
  }

  /** What the subjects of a ledger's records begin with. */
  String ledgerSubjects(LedgerScope scope) {
    return prefix + ".ledger." + scope + ".";
  }

  private String name(String what) {
    return prefix.toUpperCase(Locale.ROOT) + "_" + what;
  }
}
