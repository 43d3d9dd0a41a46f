package dev.contrail.jetstream;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.ledger.log.LedgerLog;
import dev.contrail.ledger.log.LedgerPort;
import dev.contrail.ledger.log.LedgerTimes;
import dev.contrail.ledger.log.LookUp;
import dev.contrail.ledger.log.Recording;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The completion ledger in JetStream: a {@link LedgerLog} whose log is a stream. The log lives
 * behind one lock, taken for moments only; whatever it wants done is done after the lock is left.
 */
final class JetStreamLedger implements CompletionLedger {
  private static final Logger log = LoggerFactory.getLogger(JetStreamLedger.class);
  private static final Duration TICK = Duration.ofMillis(100);

  private final Connection connection;
  private final JetStreamApi api;
  private final String stream;
  private final String subjects;
  private final LedgerScope scope;
  private final Duration auditHorizon;
  private final Consumer<String> alerts;
  private final ConnectionListener listener = this::connectionChanged;
  private final Surroundings surroundings;
  private final Surroundings.Timer timer;
  private final LogReader reader;
  private final LedgerLog ledger;
  private final PastLedgers past;
  private List<Runnable> outbox = new ArrayList<>();

  /**
   * Opens it, and begins to read.
   *
   * @param auditHorizon how long completions are kept after the stream holds nothing of their block
   * @param alerts is told in one sentence what somebody should know
   */
  JetStreamLedger(
      Connection connection,
      JetStreamApi api,
      Names names,
      LedgerScope scope,
      Duration auditHorizon,
      Consumer<String> alerts) {
    this(connection, api, names, scope, LedgerTimes.DEFAULT, auditHorizon, alerts);
  }

  JetStreamLedger(
      Connection connection,
      JetStreamApi api,
      Names names,
      LedgerScope scope,
      LedgerTimes times,
      Duration auditHorizon,
      Consumer<String> alerts) {
    this.connection = connection;
    this.api = api;
    this.stream = names.ledgerStream();
    this.subjects = names.ledgerSubjects(scope);
    this.scope = scope;
    this.auditHorizon = auditHorizon;
    this.alerts = alerts;
    this.surroundings = api.surroundings();
    this.ledger = new LedgerLog(surroundings.random().nextInt(), times, new Port());
    this.reader = new LogReader(connection, api, stream, subjects + ">", new Tail());
    this.past = new PastLedgers(api, names, scope);
    this.timer = surroundings.timer("contrail-ledger-" + scope.consumer());
    connection.addConnectionListener(listener);
    run(log -> log.start(surroundings.nanoTime()));
    every(TICK, () -> run(log -> log.tick(surroundings.nanoTime())));
    every(
        times.retireEvery(),
        () -> {
          var unused = retire();
        });
  }

  @Override
  public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
    Asked asked = new Asked(messages);
    run(log -> log.lookUp(asked, surroundings.nanoTime()));
    return asked.answer;
  }

  @Override
  public CompletionStage<Void> record(List<? extends LedgerEntry> messages) {
    Told told = new Told(messages);
    run(log -> log.record(told, surroundings.nanoTime()));
    return told.answer;
  }

  @Override
  public void close() {
    connection.removeConnectionListener(listener);
    timer.close();
    reader.close();
    run(LedgerLog::close);
  }

  private void run(Consumer<LedgerLog> event) {
    List<Runnable> wanted;
    synchronized (this) {
      event.accept(ledger);
      if (outbox.isEmpty()) {
        return;
      }
      wanted = outbox;
      outbox = new ArrayList<>();
    }
    wanted.forEach(Runnable::run);
  }

  private void every(Duration period, Runnable task) {
    timer.every(period, () -> guarded(task));
  }

  /** A timer that met an exception would stop for good. */
  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      log.error("{}: a step of the ledger failed; this is a bug in Contrail", scope, e);
    }
  }

  /** Drops what nobody can ask for any more; tried again next time if it does not come off. */
  CompletionStage<Void> retire() {
    Instant before = surroundings.clock().instant().minus(auditHorizon);
    return api.firstSequence(scope.stream())
        .thenAccept(first -> run(log -> log.retire(first, before.toEpochMilli())))
        .thenCompose(done -> past.delete(before))
        .exceptionally(
            failure -> {
              log.debug("{}: nothing retired: {}", scope, failure.getMessage());
              return null;
            });
  }

  private void connectionChanged(Connection changed, ConnectionListener.Events event) {
    if (event == ConnectionListener.Events.RESUBSCRIBED) {
      run(LedgerLog::readingEnded);
    }
  }

  /** Called with the lock held: only notes down what is to be done. */
  private final class Port implements LedgerPort {
    @Override
    public void publish(long id, String token, byte[] record) {
      outbox.add(() -> append(id, token, record));
    }

    @Override
    public void purge(String token, long place) {
      outbox.add(() -> purgeBelow(token, place));
    }

    @Override
    public void read(long reading, long fromPlace) {
      outbox.add(() -> reader.readFrom(reading, fromPlace));
    }

    @Override
    public void upkeepFailed(Throwable cause) {
      outbox.add(
          () -> log.warn("{}: the ledger could not be compacted: {}", scope, cause.getMessage()));
    }

    @Override
    public void sequenceReused(long sequence) {
      outbox.add(
          () ->
              alerts.accept(
                  "stream "
                      + scope.stream()
                      + " hands out sequences again that it had used before (restored from a"
                      + " backup, or kept in memory): message "
                      + sequence
                      + " is not the one that was completed, and is processed"));
    }
  }

  private void append(long id, String token, byte[] record) {
    var unused =
        api.append(stream, subjects + token, record)
            .whenComplete(
                (place, failure) ->
                    run(
                        failure == null
                            ? log -> log.published(id, place, surroundings.nanoTime())
                            : log ->
                                log.publishFailed(
                                    id, JetStreamApi.unwrapped(failure), surroundings.nanoTime())));
  }

  private void purgeBelow(String token, long place) {
    var unused =
        api.purge(stream, subjects + token, place)
            .whenComplete(
                (purged, failure) -> {
                  if (failure != null) {
                    // Nothing is missing then; the next snapshot's purge takes these along.
                    log.warn("{}: the ledger could not be purged: {}", scope, failure.getMessage());
                  }
                });
  }

  /** What is read of the log. */
  private final class Tail implements LogReader.Sink {
    @Override
    public void read(long reading, long sequence, String subject, byte[] data, long storedMillis) {
      String token = subject.substring(subjects.length());
      run(log -> log.tailed(reading, sequence, token, data, storedMillis, surroundings.nanoTime()));
    }

    @Override
    public void interrupted(String why) {
      log.debug("{}: reading the ledger anew: {}", scope, why);
      run(LedgerLog::readingEnded);
    }
  }

  private final class Asked implements LookUp {
    private final List<? extends LedgerEntry> messages;
    private final CompletableFuture<BitSet> answer = new CompletableFuture<>();

    Asked(List<? extends LedgerEntry> messages) {
      this.messages = messages;
    }

    @Override
    public List<? extends LedgerEntry> messages() {
      return messages;
    }

    @Override
    public void answer(BitSet completed) {
      outbox.add(() -> answer.complete(completed));
    }

    @Override
    public void fail(Throwable cause) {
      outbox.add(() -> answer.completeExceptionally(cause));
    }
  }

  private final class Told implements Recording {
    private final List<? extends LedgerEntry> messages;
    private final CompletableFuture<Void> answer = new CompletableFuture<>();

    Told(List<? extends LedgerEntry> messages) {
      this.messages = messages;
    }

    @Override
    public List<? extends LedgerEntry> messages() {
      return messages;
    }

    @Override
    public void done() {
      outbox.add(() -> answer.complete(null));
    }

    @Override
    public void fail(Throwable cause) {
      outbox.add(() -> answer.completeExceptionally(cause));
    }
  }
}
