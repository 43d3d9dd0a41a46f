package dev.contrail.operations.index;

import dev.contrail.Headers;
import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.jetstream.RawHeaders;
import dev.contrail.operations.DeadLetters;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.StreamState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Lists the newest dead letters by reading their stream from its end, in stretches, until there are
 * enough: what it costs does not grow with the stream. How it stands with each is looked up one by
 * one. Thread-safe.
 */
public final class NewestEntries {
  private static final long SMALLEST_STRETCH = 64;
  private static final long LARGEST_STRETCH = 16_384;
  private static final long MOST_BYTES_AT_ONCE = 16 << 20;
  private static final String PARTS = "Contrail-Parts";

  private final Names names;
  private final HeadWindow window;
  private final DeadLetters deadLetters;
  private final EventStore events;
  private final PlanProgressLookup plans;

  public NewestEntries(Connection connection, JetStreamOptions options, Names names) {
    this.names = names;
    this.window = new HeadWindow(connection, options, names.deadLetterStream());
    this.deadLetters = new DeadLetters(connection, options, names);
    this.events = new EventStore(connection, options, names);
    this.plans = new PlanProgressLookup(new PlanStore(connection, options, names));
  }

  /** Looks into whole dead letters. */
  public interface Search {
    boolean accepts(DeadLetter letter);

    /** How many places of the stream were looked at, of how many. */
    void progress(long done, long all);
  }

  private static final Search BY_HEADERS =
      new Search() {
        @Override
        public boolean accepts(DeadLetter letter) {
          return true;
        }

        @Override
        public void progress(long done, long all) {}
      };

  /**
   * The newest that the filter accepts.
   *
   * @param request a page of {@link SortOrder#NEWEST}
   * @throws ContrailException when the dead letters or their events cannot be read
   */
  public Page page(EntryFilter filter, PageRequest request) throws InterruptedException {
    return page(filter, request, BY_HEADERS);
  }

  /**
   * The newest that the filter and the search accept. Payloads are read a few megabytes at a time.
   *
   * @param request a page of {@link SortOrder#NEWEST}
   * @throws ContrailException when the dead letters or their events cannot be read
   */
  public Page page(EntryFilter filter, PageRequest request, Search search)
      throws InterruptedException {
    if (request.order() != SortOrder.NEWEST) {
      throw new IllegalArgumentException("Only the newest can be listed so.");
    }
    String subjects =
        names.deadLetterSubjects(filter.stream().orElse("*"), filter.consumer().orElse("*"));
    StreamState stream = window.state();
    Optional<Cursor> after = request.cursor();
    long bound = after.map(Cursor::bound).orElse(stream.getLastSequence());
    long last =
        after
            .map(cursor -> Math.min(cursor.position() - 1, stream.getLastSequence()))
            .orElse(stream.getLastSequence());
    List<IndexEntry> found = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    int wanted = request.limit() == Integer.MAX_VALUE ? request.limit() : request.limit() + 1;
    long largest = search == BY_HEADERS ? LARGEST_STRETCH : withBodies(stream);
    long stretch = Math.min(largest, Math.max(SMALLEST_STRETCH, 2L * wanted));
    long all = last;
    while (found.size() < wanted && last >= stream.getFirstSequence() && last > 0) {
      long first = Math.max(stream.getFirstSequence(), last - stretch + 1);
      List<CompactEntry> accepted =
          accepted(
              filter, window.read(subjects, first, last, search == BY_HEADERS), search, unreadable);
      found.addAll(withStates(accepted, filter, wanted - found.size()));
      last = first - 1;
      stretch = Math.min(largest, 2 * stretch);
      search.progress(all - last, all - Math.max(0, stream.getFirstSequence() - 1));
    }
    boolean more = found.size() == wanted;
    List<IndexEntry> page = List.copyOf(more ? found.subList(0, wanted - 1) : found);
    return new Page(
        page,
        search == BY_HEADERS && filter.isBySubjectsAlone()
            ? OptionalLong.of(window.count(subjects))
            : OptionalLong.empty(),
        more ? Optional.of(end(bound, page)) : Optional.empty(),
        unreadable);
  }

  private static long withBodies(StreamState stream) {
    long average = stream.getByteCount() / Math.max(1, stream.getMsgCount()) + 1;
    return Math.max(8, Math.min(1_000, MOST_BYTES_AT_ONCE / average));
  }

  private DeadLetter whole(DeadLetterId id, Message head) {
    Headers headers = RawHeaders.headers(head);
    if (headers.first(PARTS).isPresent()) {
      return deadLetters
          .find(id)
          .orElseThrow(() -> new ContrailException("The dead letter " + id + " is gone."));
    }
    byte[] data = head.getData() == null ? new byte[0] : head.getData();
    return EvidenceDecoder.decode(id, headers, data, (number, sha256) -> Optional.empty());
  }

  private static String end(long bound, List<IndexEntry> page) {
    return new Cursor(SortOrder.NEWEST, bound, 0, page.get(page.size() - 1).position()).toString();
  }

  /** The newest first. */
  private List<CompactEntry> accepted(
      EntryFilter filter, List<Message> heads, Search search, List<String> unreadable) {
    List<CompactEntry> accepted = new ArrayList<>();
    StringPool strings = new StringPool();
    for (int i = heads.size() - 1; i >= 0; i--) {
      Message head = heads.get(i);
      Optional<DeadLetterId> id = DeadLetterId.ofSubject(names.prefix(), head.getSubject());
      if (id.isEmpty()) {
        unreadable.add("Subject " + head.getSubject() + " is not that of a dead letter.");
        continue;
      }
      try {
        CompactEntry entry =
            new CompactEntry(
                head.metaData().streamSequence(),
                EvidenceDecoder.summary(id.get(), RawHeaders.headers(head)),
                strings);
        if (filter.accepts(entry)
            && (search == BY_HEADERS || search.accepts(whole(id.get(), head)))) {
          accepted.add(entry);
        }
      } catch (UnreadableEvidenceException e) {
        unreadable.add(String.valueOf(e.getMessage()));
      }
    }
    return accepted;
  }

  /** As many as are wanted, of those in a state that is asked for. */
  private List<IndexEntry> withStates(List<CompactEntry> entries, EntryFilter filter, int wanted) {
    List<IndexEntry> found = new ArrayList<>();
    for (int from = 0; from < entries.size() && found.size() < wanted; ) {
      int to = Math.min(entries.size(), from + Math.min(1_000, wanted - found.size()));
      List<CompactEntry> some = entries.subList(from, to);
      Map<DeadLetterId, EntryState> states = states(some);
      for (CompactEntry entry : some) {
        EntryState state = states.getOrDefault(entry.id(), EntryState.NEW);
        if (filter.accepts(state.status())) {
          found.add(entry.with(state));
        }
      }
      from = to;
    }
    return found;
  }

  private Map<DeadLetterId, EntryState> states(List<CompactEntry> entries) {
    Map<DeadLetterId, CompletableFuture<EntryState>> asked = new LinkedHashMap<>();
    entries.forEach(entry -> asked.put(entry.id(), events.state(entry.id())));
    Map<DeadLetterId, EntryState> states = new HashMap<>();
    Map<String, Map<DeadLetterId, Integer>> published = new HashMap<>();
    asked.forEach(
        (id, answer) -> {
          EntryState state = Answers.of(answer);
          states.put(
              id, state.status() == Status.REPLAYING ? published(id, state, published) : state);
        });
    return states;
  }

  private EntryState published(
      DeadLetterId id, EntryState state, Map<String, Map<DeadLetterId, Integer>> known) {
    Optional<Event> step = Answers.of(events.find(EventAddress.step(id, state.lastStep())));
    if (step.isPresent() && step.get().fact() instanceof Step.Replay replay) {
      Integer copy = known.computeIfAbsent(replay.plan(), plans::published).get(id);
      return copy == null ? state : state.published(copy);
    }
    return state;
  }

  /**
   * How it stands with one.
   *
   * @throws ContrailException when its events cannot be read
   */
  public EntryState state(DeadLetterId id) {
    EntryState state = Answers.of(events.state(id));
    return state.status() == Status.REPLAYING ? published(id, state, new HashMap<>()) : state;
  }
}
