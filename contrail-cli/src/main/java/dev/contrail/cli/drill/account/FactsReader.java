package dev.contrail.cli.drill.account;

import dev.contrail.Headers;
import dev.contrail.cli.drill.place.Crew;
import dev.contrail.cli.drill.place.DrillException;
import dev.contrail.cli.drill.place.Observer;
import dev.contrail.cli.drill.place.WorkerProcess;
import dev.contrail.cli.drill.place.Workplace;
import dev.contrail.cli.drill.worker.Task;
import dev.contrail.cli.drill.worker.WorkerOrders;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.RawHeaders;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.Ledgers;
import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.AuditRequest;
import dev.contrail.operations.audit.Audits;
import dev.contrail.operations.audit.Fate;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.replay.Candidate;
import dev.contrail.operations.replay.Selections;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.api.Subject;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads from the server, and from what the workers wrote down, what became of the work. */
public final class FactsReader {
  private final Workplace place;
  private final Crew crew;
  private final Observer observer;

  public FactsReader(Workplace place, Crew crew, Observer observer) {
    this.place = place;
    this.crew = crew;
    this.observer = observer;
  }

  /** Facts about workers of Contrail. */
  public Facts read(boolean settled) throws InterruptedException {
    SequenceSet completed = completed();
    List<String> unreadable = new ArrayList<>();
    Map<Long, Letter> letters = letters(unreadable);
    return new Facts(
        place.published(),
        runs(),
        Optional.of(completed),
        observer.recorded(),
        observer.acked(),
        letters,
        unreadable,
        present(),
        settled,
        gaps());
  }

  /**
   * Facts about bare clients, which have no ledger that could be read.
   *
   * @param recorded when it was noted of each message that it is done
   */
  public Facts readNaive(boolean settled, Map<Long, Long> recorded) {
    return new Facts(
        place.published(),
        runs(),
        Optional.empty(),
        recorded,
        observer.acked(),
        naiveLetters(),
        List.of(),
        present(),
        settled,
        List.of());
  }

  /** Whether every message is on record as completed, dead, or resolved after it was replayed. */
  public boolean isAccountedFor() throws InterruptedException {
    SequenceSet completed = completed();
    Map<Long, Boolean> dead = new HashMap<>();
    for (Candidate entry : entries(unreadable -> {})) {
      dead.put(entry.summary().id().sequence(), entry.state().status() == Status.RESOLVED);
    }
    return place.published().stream()
        .allMatch(
            work ->
                completed.contains(work.sequence())
                    || (work.task().kind() == Task.Kind.REJECT_ONCE
                        ? dead.getOrDefault(work.sequence(), false)
                        : dead.containsKey(work.sequence())));
  }

  /** What the ledger holds. */
  public SequenceSet completed() throws InterruptedException {
    return new Ledgers(place.connection(), place.site().jetStream(), place.names())
        .completed(place.stream(), place.consumerName())
        .sequences();
  }

  /** Whether the message is gone, or the consumer does not wait for an answer any more. */
  public boolean isAnswered(long sequence) {
    return !present().contains(sequence)
        || place.consumer().getAckFloor().getStreamSequence() >= sequence
        || observer.acked().containsKey(sequence);
  }

  private List<Candidate> entries(Consumer<String> unreadable) throws InterruptedException {
    return new Selections(place.connection(), place.site().jetStream(), place.names())
        .matching(EntryFilter.ALL, unreadable);
  }

  /** Of all processes, in the order in which they began. */
  public List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    List<WorkerProcess> all = crew.all();
    for (int i = 0; i < all.size(); i++) {
      runs.addAll(Run.of(i + 1, all.get(i).wasDisturbed(), all.get(i).lines()));
    }
    runs.sort(Comparator.comparingLong(Run::startMicros));
    return runs;
  }

  /** The dead letters that are there, whole, by the sequence of what died. */
  public Map<Long, Letter> letters(List<String> unreadable) throws InterruptedException {
    Map<String, Long> counts =
        counts(place.names().deadLetterStream(), place.names().deadLetterSubjects());
    DeadLetters deadLetters =
        new DeadLetters(place.connection(), place.site().jetStream(), place.names());
    Map<Long, Letter> letters = new HashMap<>();
    Map<Long, Long> copies = new HashMap<>();
    for (Candidate entry : entries(unreadable::add)) {
      try {
        DeadLetter letter = deadLetters.find(entry.summary().id()).orElseThrow();
        long sequence = letter.id().sequence();
        long count = counts.getOrDefault(letter.id().subject(place.names().prefix()), 1L);
        letters.put(
            sequence,
            letter(
                letter,
                copies.merge(sequence, count, Long::sum),
                entry.state().status() == Status.RESOLVED));
      } catch (UnreadableEvidenceException e) {
        unreadable.add(String.valueOf(e.getMessage()));
      }
    }
    return letters;
  }

  private static Letter letter(DeadLetter letter, long copies, boolean resolved) {
    return new Letter(
        letter.id().sequence(),
        copies,
        letter.message().headers(),
        letter.message().headerBlock(),
        letter.message().payload(),
        letter.death().deliveries(),
        micros(letter.death().at()),
        resolved);
  }

  private Map<Long, Letter> naiveLetters() {
    String prefix = place.names().prefix();
    String stream = WorkerOrders.naiveDeadStream(prefix);
    Map<Long, Letter> letters = new HashMap<>();
    counts(stream, WorkerOrders.naiveDead(prefix) + ".>")
        .forEach(
            (subject, count) -> {
              MessageInfo found = last(stream, subject);
              Headers headers = RawHeaders.headers(found.getHeaders());
              long sequence = Long.parseLong(subject.substring(subject.lastIndexOf('.') + 1));
              letters.put(
                  sequence,
                  new Letter(
                      sequence,
                      count,
                      headers,
                      new byte[0],
                      found.getData() == null ? new byte[0] : found.getData(),
                      1,
                      micros(found.getTime().toInstant()),
                      false));
            });
    return letters;
  }

  private MessageInfo last(String stream, String subject) {
    try {
      return management().getLastMessage(stream, subject);
    } catch (IOException | JetStreamApiException e) {
      throw unreadable(stream, e);
    }
  }

  private Map<String, Long> counts(String stream, String subjects) {
    Map<String, Long> counts = new HashMap<>();
    try {
      StreamInfo info =
          management().getStreamInfo(stream, StreamInfoOptions.filterSubjects(subjects));
      for (Subject subject : info.getStreamState().getSubjects()) {
        counts.put(subject.getName(), subject.getCount());
      }
      return counts;
    } catch (IOException | JetStreamApiException e) {
      throw unreadable(stream, e);
    }
  }

  /** What the stream still holds. */
  public SequenceSet present() {
    try {
      StreamInfo info =
          management().getStreamInfo(place.stream(), StreamInfoOptions.deletedDetails());
      SequenceSet present = new SequenceSet();
      if (info.getStreamState().getMsgCount() == 0) {
        return present;
      }
      present.add(
          info.getStreamState().getFirstSequence(), info.getStreamState().getLastSequence());
      SequenceSet gone = new SequenceSet();
      info.getStreamState().getDeleted().forEach(gone::add);
      return present.minus(gone);
    } catch (IOException | JetStreamApiException e) {
      throw unreadable(place.stream(), e);
    }
  }

  private List<String> gaps() throws InterruptedException {
    AuditReport report =
        new Audits(place.connection(), place.site().jetStream(), place.names())
            .audit(
                new AuditRequest(place.stream(), List.of(place.consumerName()), Optional.empty()),
                Clock.systemUTC().instant(),
                (done, of) -> {});
    List<String> gaps = new ArrayList<>(report.complete() ? List.of() : report.notes());
    report.consumers().stream()
        .flatMap(it -> it.gaps().stream())
        .forEach(
            gap ->
                gaps.add(
                    "sequence "
                        + gap.from()
                        + (gap.from() == gap.to() ? "" : " to " + gap.to())
                        + ": "
                        + gap.reason()));
    for (Fate open : List.of(Fate.WAITING, Fate.IN_FLIGHT, Fate.ORPHANED)) {
      if (report.count(open) > 0) {
        gaps.add(report.count(open) + " are " + open.text() + " although all is quiet");
      }
    }
    return gaps;
  }

  private JetStreamManagement management() throws IOException {
    return place.connection().jetStreamManagement(place.site().jetStream());
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  private static DrillException unreadable(String stream, Exception e) {
    return new DrillException(stream + " cannot be read: " + e.getMessage(), e);
  }
}
