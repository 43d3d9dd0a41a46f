package dev.contrail.jetstream;

import dev.contrail.Headers;
import dev.contrail.plan.PlanAddress;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanFormat;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanProgress;
import dev.contrail.plan.PlanState;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Replay plans in the stream of events. Every piece is written create-once. Thread-safe; futures
 * fail with a {@link ContrailException} when the stream cannot be used.
 */
public final class PlanStore {
  private static final int ENTRIES_IN_A_CHUNK = 5_000;
  private static final byte[] NO_BYTES = {};

  private final JetStreamApi api;
  private final Names names;

  public PlanStore(Connection connection, JetStreamOptions jetStream, Names names) {
    this.api = new JetStreamApi(connection, jetStream);
    this.names = names;
  }

  /**
   * A plan that is stored.
   *
   * @param sequence of the head in the stream of events: all that becomes of the plan comes after
   */
  public record Stored(PlanHead head, long sequence) {}

  /** How many pieces a plan of so many entries has. */
  public static int chunks(int entries) {
    return (entries + ENTRIES_IN_A_CHUNK - 1) / ENTRIES_IN_A_CHUNK;
  }

  /** Stores the entries, then the head: killed before that, there is no plan. */
  public CompletableFuture<Void> create(PlanHead head, List<PlanEntry> entries) {
    CompletableFuture<Void> stored = CompletableFuture.completedFuture(null);
    for (int chunk = 1; chunk <= chunks(entries.size()); chunk++) {
      PlanAddress address = PlanAddress.entries(head.plan(), chunk);
      int end = Math.min(entries.size(), chunk * ENTRIES_IN_A_CHUNK);
      byte[] body = PlanFormat.entries(entries.subList((chunk - 1) * ENTRIES_IN_A_CHUNK, end));
      Headers headers = PlanFormat.bodyHeaders(address, head.at(), head.by());
      stored = stored.thenCompose(before -> create(address, headers, body));
    }
    return stored.thenCompose(
        before -> create(PlanAddress.head(head.plan()), PlanFormat.encode(head), NO_BYTES));
  }

  /** The plan of that name. */
  public CompletableFuture<Optional<Stored>> find(String plan) {
    return last(PlanAddress.head(plan))
        .thenApply(
            found ->
                found.map(it -> new Stored(PlanFormat.head(plan, it.headers()), it.sequence())));
  }

  /** The names of all plans, the oldest first. */
  public CompletableFuture<List<String>> plans() {
    return subjects(names.prefix() + ".event._plan.*.head")
        .thenApply(heads -> heads.stream().map(PlanAddress::plan).sorted().toList());
  }

  /** All entries of a plan, in its order. */
  public CompletableFuture<List<PlanEntry>> entries(PlanHead head) {
    return pieces(
        head.chunks(),
        chunk -> PlanAddress.entries(head.plan(), chunk),
        it -> PlanFormat.entries(head.plan(), it.headers(), it.data()));
  }

  /**
   * What is known to be done.
   *
   * @param pieces in how many pieces that is stored; the next is to be written under the number
   *     after it
   */
  public record Progress(List<PlanProgress> done, int pieces) {}

  /** What is known to be done of a plan. */
  public CompletableFuture<Progress> progress(String plan) {
    return count(plan, PlanAddress.Part.PROGRESS)
        .thenCompose(
            pieces ->
                pieces(
                        pieces,
                        number -> PlanAddress.progress(plan, number),
                        it -> PlanFormat.progress(plan, it.headers(), it.data()))
                    .thenApply(done -> new Progress(done, pieces)));
  }

  /** Stores what was done; false when there is a piece of that number. */
  public CompletableFuture<Boolean> append(
      String plan, int number, List<PlanProgress> done, Instant at, String by) {
    PlanAddress address = PlanAddress.progress(plan, number);
    return unlessThere(
        create(address, PlanFormat.bodyHeaders(address, at, by), PlanFormat.progress(done)));
  }

  /**
   * The newest state.
   *
   * @param number under which it is stored, 0 where there is none
   * @param storedAt by the server's clock
   */
  public record Current(PlanState state, int number, Instant storedAt) {}

  /** How it stands with a plan; {@link PlanState.Kind#NEW} where nobody began with it. */
  public CompletableFuture<Current> state(PlanHead head) {
    PlanState none = new PlanState(PlanState.Kind.NEW, head.at(), head.by(), "");
    return stateAfter(head.plan(), new Current(none, 0, head.at()));
  }

  /** The same, beginning with one that is known. */
  public CompletableFuture<Current> stateAfter(String plan, Current known) {
    return last(PlanAddress.state(plan, known.number() + 1))
        .thenCompose(
            next ->
                next.isEmpty()
                    ? CompletableFuture.completedFuture(known)
                    : stateAfter(
                        plan,
                        new Current(
                            PlanFormat.state(plan, next.get().headers()),
                            known.number() + 1,
                            next.get().time())));
  }

  /** Stores the next state; false when somebody was first. */
  public CompletableFuture<Boolean> append(String plan, int number, PlanState state) {
    return unlessThere(create(PlanAddress.state(plan, number), PlanFormat.encode(state), NO_BYTES));
  }

  private <T> CompletableFuture<List<T>> pieces(
      int count, IntFunction<PlanAddress> address, Function<StoredMessage, List<T>> read) {
    List<CompletableFuture<Optional<StoredMessage>>> pieces = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      pieces.add(last(address.apply(number)));
    }
    return CompletableFuture.allOf(pieces.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all ->
                pieces.stream()
                    .map(piece -> piece.join().orElseThrow(PlanStore::incomplete))
                    .flatMap(piece -> read.apply(piece).stream())
                    .toList());
  }

  private static ContrailException incomplete() {
    return new ContrailException("A piece of the plan is gone; it cannot be carried out.");
  }

  private CompletableFuture<Integer> count(String plan, PlanAddress.Part part) {
    return subjects(PlanAddress.subjectsOf(names.prefix(), plan))
        .thenApply(
            pieces ->
                pieces.stream()
                    .filter(piece -> piece.part() == part)
                    .mapToInt(PlanAddress::number)
                    .max()
                    .orElse(0));
  }

  private CompletableFuture<List<PlanAddress>> subjects(String filter) {
    return api.subjects(names.eventStream(), filter)
        .thenApply(
            subjects ->
                subjects.stream()
                    .flatMap(subject -> PlanAddress.ofSubject(names.prefix(), subject).stream())
                    .sorted(Comparator.comparing(PlanAddress::plan))
                    .toList())
        .exceptionallyCompose(failure -> JetStreamApi.withoutStream(failure, List.of()));
  }

  private CompletableFuture<Void> create(PlanAddress address, Headers headers, byte[] body) {
    return api.create(names.eventStream(), address.subject(names.prefix()), headers, body);
  }

  private static CompletableFuture<Boolean> unlessThere(CompletableFuture<Void> created) {
    return created
        .thenApply(stored -> true)
        .exceptionallyCompose(
            failure ->
                JetStreamApi.errorCode(failure) == JetStreamApi.WRONG_LAST_SEQUENCE
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Optional<StoredMessage>> last(PlanAddress address) {
    return api.last(names.eventStream(), address.subject(names.prefix()))
        .exceptionallyCompose(failure -> JetStreamApi.withoutStream(failure, Optional.empty()));
  }
}
