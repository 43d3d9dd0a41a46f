package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.engine.Port;
import dev.contrail.engine.RunNote;
import dev.contrail.engine.StoreKind;
import dev.contrail.engine.WorkerEvent;
import dev.contrail.evidence.DeadLetterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Carries the worker's commands out on a NATS connection; answers come back as signals. */
final class JetStreamPort implements Port<Delivered> {
  private final Burials burials;
  private final RunNotes notes;
  private final Optional<ConsumerLedger> ledger;
  private final Replays replays;
  private final AckWriter acks;
  private final PullInbox pulls;
  private final MessageTtl ttl;
  private final Handlers handlers;
  private final Consumer<Signal> signals;
  private final Consumer<WorkerEvent<Delivered>> events;
  private List<Run> runs = new ArrayList<>();

  JetStreamPort(
      Burials burials,
      RunNotes notes,
      Optional<ConsumerLedger> ledger,
      Replays replays,
      AckWriter acks,
      PullInbox pulls,
      MessageTtl ttl,
      Handlers handlers,
      Consumer<Signal> signals,
      Consumer<WorkerEvent<Delivered>> events) {
    this.burials = burials;
    this.notes = notes;
    this.ledger = ledger;
    this.replays = replays;
    this.acks = acks;
    this.pulls = pulls;
    this.ttl = ttl;
    this.handlers = handlers;
    this.signals = signals;
    this.events = events;
  }

  @Override
  public void pull(long pullId, int batch, long bytes) {
    pulls.pull(pullId, batch, bytes);
  }

  @Override
  public void endPulls() {
    pulls.endPulls();
  }

  @Override
  public long largestMessage() {
    return pulls.largestMessage();
  }

  @Override
  public Optional<Duration> timeToLive(InFlight<Delivered> message) {
    return ttl.of(message.message());
  }

  @Override
  public boolean isReplayed(InFlight<Delivered> message) {
    return CopyJudge.claims(message.message());
  }

  @Override
  public void run(InFlight<Delivered> message) {
    Run run = new Run(message);
    message.attach(run);
    runs.add(run);
  }

  /**
   * Hands over what was decided in a cycle, acks and runs, all at once: each wakes somebody.
   * Returns whether all acks have gone out.
   */
  boolean endCycle(long nowNanos) {
    try {
      acks.sendWaiting(nowNanos);
    } finally {
      submitRuns();
    }
    return !acks.hasWaiting();
  }

  private void submitRuns() {
    if (!runs.isEmpty()) {
      List<Run> started = runs;
      runs = new ArrayList<>();
      handlers.submit(started);
    }
    // Last: it may fail as before, and the threads that are there must get theirs all the same.
    handlers.startMissing();
  }

  @Override
  public boolean recall(InFlight<Delivered> message) {
    return runOf(message).recall();
  }

  @Override
  public OptionalLong startedNanos(InFlight<Delivered> message) {
    return runOf(message).startedNanos();
  }

  @Override
  public Throwable interrupt(InFlight<Delivered> message, Duration timeout) {
    Run run = runOf(message);
    HandlerTimeoutException cause = new HandlerTimeoutException(timeout);
    cause.setStackTrace(run.interrupt());
    handlers.replace(run);
    return cause;
  }

  @Override
  public void ack(InFlight<Delivered> message) {
    acks.ack(message);
  }

  @Override
  public void nak(InFlight<Delivered> message, Duration delay) {
    acks.nak(message, delay);
  }

  @Override
  public void term(InFlight<Delivered> message) {
    acks.term(
        message,
        message.isCondemned()
            ? Optional.of("dead-lettered by Contrail as " + idOf(message))
            : Optional.empty());
  }

  @Override
  public void extend(List<InFlight<Delivered>> messages, long token) {
    acks.extend(messages, () -> signals.accept((worker, now) -> worker.leasesExtended(token)));
  }

  @Override
  public void echo(long token) {
    pulls.echo(token);
  }

  @Override
  public void lookUpCompletions(List<InFlight<Delivered>> messages) {
    if (messages.get(0).isReplayed()) {
      replays.lookUp(messages);
    } else {
      ledger.orElseThrow().lookUp(messages);
    }
  }

  @Override
  public void recordCompletions(List<InFlight<Delivered>> messages) {
    if (messages.get(0).isReplayed()) {
      replays.record(messages);
    } else {
      ledger.orElseThrow().record(messages);
    }
  }

  @Override
  public void checkDeadLetter(InFlight<Delivered> message) {
    answer(
        StoreKind.DEAD_LETTERS,
        message,
        asked(() -> burials.find(message)),
        found ->
            (worker, now) -> {
              found.ifPresent(message.message()::deadLetter);
              worker.deadLetterChecked(message, found.isPresent(), now);
            });
  }

  @Override
  public void readNote(InFlight<Delivered> message) {
    answer(
        StoreKind.NOTES,
        message,
        notes.read(burials.id(message)),
        note -> (worker, now) -> worker.noteRead(message, note, now));
  }

  @Override
  public void writeNote(InFlight<Delivered> message, RunNote note) {
    answer(
        StoreKind.NOTES,
        message,
        notes.write(burials.id(message), note),
        stored -> (worker, now) -> worker.noteStored(message, now));
  }

  @Override
  public void bury(InFlight<Delivered> message) {
    answer(
        StoreKind.DEAD_LETTERS,
        message,
        asked(() -> burials.write(message)),
        id ->
            (worker, now) -> {
              message.message().deadLetter(id);
              worker.buried(message, now);
            });
  }

  @Override
  public void report(WorkerEvent<Delivered> event) {
    events.accept(event);
  }

  /** There is always an answer: without one the message would be held for ever. */
  private static <T> CompletableFuture<T> asked(Supplier<CompletableFuture<T>> question) {
    try {
      return question.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private DeadLetterId idOf(InFlight<Delivered> message) {
    return message.message().deadLetter().orElseGet(() -> burials.id(message));
  }

  private <T> void answer(
      StoreKind store,
      InFlight<Delivered> message,
      CompletableFuture<T> future,
      Function<T, Signal> success) {
    var unused =
        future.whenComplete(
            (result, failure) ->
                signals.accept(
                    failure == null
                        ? success.apply(result)
                        : failed(store, message, JetStreamApi.unwrapped(failure))));
  }

  private static Signal failed(StoreKind store, InFlight<Delivered> message, Throwable cause) {
    // Notes are alike: what one meets, all do.
    return store == StoreKind.NOTES || JetStreamApi.isOfStore(cause)
        ? (worker, now) -> worker.storeFailed(store, message, cause, now)
        : (worker, now) -> worker.deadLetterRefused(message, cause, now);
  }

  private static Run runOf(InFlight<Delivered> message) {
    return (Run) Objects.requireNonNull(message.attachment(), "a message that was never run");
  }
}
