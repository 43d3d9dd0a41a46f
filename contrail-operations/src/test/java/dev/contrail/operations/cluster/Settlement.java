package dev.contrail.operations.cluster;

import static org.awaitility.Awaitility.await;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Store;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.Fate;
import dev.contrail.operations.cluster.Accounts.Place;
import dev.contrail.operations.replay.PlanReport;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.server.NatsServer;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionTimeoutException;

/** What became of every task in the end, asked from outside, and what is wrong with that. */
final class Settlement {
  private static final Duration LIMIT = Duration.ofMinutes(8);

  private final ClusterRun run;
  private final Site site;
  private final JetStreamServer server;
  private final List<String> problems = new ArrayList<>();
  private int deletedByServers;
  private final Map<Task, List<DeadLetterId>> letters = new HashMap<>();

  Settlement(ClusterRun run) {
    this.run = run;
    this.site = run.site;
    this.server = new JetStreamServer(site.connection, Site.PATIENT);
  }

  /** Waits until nothing happens any more, ends all, and says what is wrong. */
  List<String> problems() throws Exception {
    run.load.finish();
    awaitQuiet();
    run.end();
    problems.addAll(run.deserters());
    problems.addAll(run.accounts.violations());
    problems.addAll(run.falseGaps());
    readLetters();
    for (String stream : Site.WORKED) {
      judge(insist(() -> site.audit(stream)));
    }
    run.load.stored().forEach(this::judge);
    judgeOriginals();
    judgeCopies();
    judgeRepairs();
    return problems;
  }

  private void awaitQuiet() {
    List<String> unrest = new ArrayList<>();
    try {
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofSeconds(2))
          .until(
              () -> {
                unrest.clear();
                unrest.addAll(unrest());
                return unrest.isEmpty();
              });
    } catch (ConditionTimeoutException e) {
      unrest.forEach(each -> problems.add("does not come to rest: " + each));
    }
  }

  private List<String> unrest() throws Exception {
    List<String> unrest = new ArrayList<>();
    run.read();
    try {
      for (String stream : Site.WORKED) {
        AuditReport.OfConsumer found = ofWorker(site.audit(stream));
        for (Fate fate : List.of(Fate.WAITING, Fate.IN_FLIGHT, Fate.DEAD, Fate.REPLAYED)) {
          if (found.count(fate) > 0) {
            unrest.add(found.count(fate) + " of " + stream + " are " + fate.text());
          }
        }
      }
      long parcels = site.management.getStreamInfo(Site.PARCELS).getStreamState().getMsgCount();
      if (parcels > 0) {
        unrest.add(parcels + " are left in " + Site.PARCELS);
      }
    } catch (ContrailException e) {
      unrest.add(String.valueOf(e.getMessage()));
    }
    if (run.repairs.isBusy()) {
      unrest.add("a plan is not finished");
    }
    return unrest;
  }

  /** Asked again where a busy machine has no answer. */
  private static <T> T insist(Callable<T> question) {
    return await()
        .pollDelay(Duration.ZERO)
        .atMost(LIMIT)
        .ignoreExceptionsMatching(ContrailException.class::isInstance)
        .until(question, any -> true);
  }

  private static AuditReport.OfConsumer ofWorker(AuditReport report) {
    return report.consumers().stream()
        .filter(it -> it.consumer().equals(Site.CONSUMER))
        .findFirst()
        .orElseThrow();
  }

  private void judge(AuditReport report) {
    AuditReport.OfConsumer found = ofWorker(report);
    if (!report.complete()) {
      problems.add("the audit of " + report.stream() + " is not complete: " + report.notes());
    }
    found.gaps().forEach(gap -> problems.add("gap in " + report.stream() + ": " + gap));
    expectNone(report, found, Fate.ORPHANED);
    expectNone(report, found, Fate.COMPLETED);
    judgeDead(found, report.stream());
    SequenceSet processed = found.fates().getOrDefault(Fate.PROCESSED, new SequenceSet());
    run.load
        .stored()
        .forEach(
            (task, place) -> {
              if (place.stream().equals(report.stream())
                  && task.kind().deaths() == 0
                  && !processed.contains(place.sequence())) {
                problems.add("the audit does not call processed: " + story(task, place));
              }
            });
  }

  private void expectNone(AuditReport report, AuditReport.OfConsumer found, Fate fate) {
    if (found.count(fate) > 0) {
      problems.add(
          "%d messages of %s are %s".formatted(found.count(fate), report.stream(), fate.text()));
    }
  }

  /** Whatever died was replayed, and processed or came back. */
  private void judgeDead(AuditReport.OfConsumer found, String stream) {
    SequenceSet ended = new SequenceSet();
    for (Fate fate : List.of(Fate.RESOLVED, Fate.RETURNED)) {
      ended.add(found.fates().getOrDefault(fate, new SequenceSet()));
    }
    letters.values().stream()
        .flatMap(List::stream)
        .filter(id -> id.stream().equals(stream) && !ended.contains(id.sequence()))
        .forEach(id -> problems.add("the audit calls neither resolved nor returned: " + id));
  }

  private void readLetters() {
    DeadLetters all = new DeadLetters(site.connection, Site.PATIENT, Site.NAMES);
    for (DeadLetterSummary summary :
        insist(() -> all.list(Optional.empty(), Optional.empty())).entries()) {
      DeadLetter letter = insist(() -> all.find(summary.id())).orElseThrow();
      letters
          .computeIfAbsent(Task.of(letter.message().payload()), any -> new ArrayList<>())
          .add(letter.id());
    }
    server
        .subjects(Store.DEAD_LETTERS.stream(Site.NAMES), Site.NAMES.deadLetterSubjects("*", "*"))
        .forEach(
            (subject, count) -> {
              if (count != 1) {
                problems.add(count + " dead letters are stored on " + subject);
              }
            });
  }

  /** Of one task, stored there. */
  private void judge(Task task, Place place) {
    int found = letters.getOrDefault(task, List.of()).size();
    boolean twice = run.load.possiblyTwice().contains(task);
    boolean parcel = place.stream().equals(Site.PARCELS);
    boolean enough = parcel && run.foreign.done().contains(task.number());
    int fewest = enough ? 0 : parcel ? 1 : task.kind().deaths();
    int most = parcel ? 1 : task.kind().deaths();
    if (found < fewest && parcel && isDeletedByServers(place)) {
      deletedByServers++;
    } else if (found < fewest || (found > most && !twice)) {
      problems.add("%s has %d dead letters".formatted(story(task, place), found));
    }
    if (!parcel && task.kind().deaths() == 0 && !run.accounts.isDone(place)) {
      problems.add("lost: " + story(task, place));
    }
  }

  /**
   * Whether it is gone from a cluster that deletes, when nodes are killed, what used up its
   * deliveries, guarded or not: so 2.10.27 was seen to do, and neither 2.9.10 nor 2.15.1.
   */
  private boolean isDeletedByServers(Place place) {
    NatsServer any = site.nodes().get(0);
    return site.nodes().size() > 1
        && any.version().isAtLeast(2, 10)
        && !any.version().isAtLeast(2, 11)
        && isStored(place).contains("no message found");
  }

  /** How many nobody could have kept. */
  int deletedByServers() {
    return deletedByServers;
  }

  private void judgeOriginals() {
    run.accounts
        .originals()
        .forEach(
            (task, places) -> {
              if (places.size() > 1 && !run.load.possiblyTwice().contains(task)) {
                problems.add(task + " is stored more than once: " + places);
              }
            });
  }

  private void judgeCopies() {
    Map<Task, List<Place>> done = run.accounts.copiesDone();
    Map<Task, List<Place>> originals = run.accounts.originals();
    run.load
        .stored()
        .forEach(
            (task, place) -> {
              boolean replayed = task.kind() == Task.Kind.POISON || task.kind() == Task.Kind.CURSED;
              int copies = done.getOrDefault(task, List.of()).size();
              if (replayed && copies != originals.getOrDefault(task, List.of()).size()) {
                problems.add(
                    "%d copies were processed of %s: %s"
                        .formatted(copies, story(task, place), done.get(task)));
              }
            });
  }

  /** Cursed ones come back, and nothing else goes wrong: there is nothing that is gone. */
  private void judgeRepairs() {
    run.repairs.failures().forEach(failure -> problems.add("whoever replays was told " + failure));
    for (PlanReport.Finding finding : run.repairs.findings()) {
      if (finding.why().contains("gone") || finding.what().equals("failed")) {
        problems.add("a plan reported " + finding);
      }
    }
  }

  /** All that is known of it. */
  private String story(Task task, Place place) {
    return "“%s” at %s (dead letters %s; stored now: %s; workers said %s)"
        .formatted(
            task,
            place,
            letters.getOrDefault(task, List.of()),
            isStored(place),
            run.accounts.of(place));
  }

  private String isStored(Place place) {
    try {
      return site.management.getMessage(place.stream(), place.sequence()).getSubject();
    } catch (IOException | JetStreamApiException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
