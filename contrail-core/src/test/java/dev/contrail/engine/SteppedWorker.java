package dev.contrail.engine;

import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** A worker that a test drives step by step, and the time it lives in. */
final class SteppedWorker {
  static final Duration ACK_WAIT = Duration.ofSeconds(30);
  static final Duration THIRD = ACK_WAIT.dividedBy(3);

  /** What a message weighs unless the test says otherwise. */
  static final long BYTES = 100;

  /** Close to where the clock overflows, so that many a test passes over it. */
  private long nanos = Long.MAX_VALUE - Duration.ofSeconds(45).toNanos();

  private long epochMillis = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();
  private final Duration ackWait;

  final RecordingPort port = new RecordingPort(() -> nanos);
  final Worker<String> worker;

  /** While false, extensions get lost on their way. */
  boolean extensionsArrive = true;

  /** While false, the server gives no sign of life. */
  boolean serverAlive = true;

  SteppedWorker(WorkerPolicy policy) {
    this(policy, ACK_WAIT);
  }

  SteppedWorker(WorkerPolicy policy, Duration ackWait) {
    this(policy, ackWait, false);
  }

  private SteppedWorker(WorkerPolicy policy, Duration ackWait, boolean ledger) {
    this.ackWait = ackWait;
    port.referee.ackWait(ackWait.toNanos());
    port.referee.ledger(ledger);
    worker = new Worker<>(policy, ackWait, ledger, port, new HalfJitter());
    worker.tick(now());
  }

  /** One that keeps a ledger. */
  static SteppedWorker withLedger(WorkerPolicy policy) {
    return new SteppedWorker(policy, ACK_WAIT, true);
  }

  Now now() {
    return new Now(nanos, epochMillis);
  }

  // Time.

  /** Lets time pass as a loop would, with the steps that the worker asks for. */
  void pass(Duration time) {
    long end = nanos + time.toNanos();
    while (end - nanos > 0) {
      step(Duration.ofNanos(Math.min(end - nanos, ackWait.toNanos() / 10)));
    }
  }

  void passSeconds(long seconds) {
    pass(Duration.ofSeconds(seconds));
  }

  /** One cycle after a pause of the given length. */
  void step(Duration time) {
    nanos += time.toNanos();
    epochMillis += time.toMillis();
    worker.tick(now());
    if (serverAlive) {
      worker.heartbeat(now());
    }
    if (extensionsArrive) {
      for (RecordingPort.Extension extension : port.extensions()) {
        port.referee.extended(extension.deliveries(), extension.sentNanos());
        worker.leasesExtended(extension.token());
      }
    }
  }

  /** Time goes by within one cycle, before the worker can look at it. */
  void linger(Duration time) {
    nanos += time.toNanos();
    epochMillis += time.toMillis();
  }

  void tick() {
    step(Duration.ZERO);
  }

  // What the server does.

  void consumerReady() {
    worker.consumerReady(ackWait, Optional.empty());
  }

  /** Delivers them for the first time. */
  void deliver(long... sequences) {
    for (long sequence : sequences) {
      deliverAs(1, sequence);
    }
  }

  /** Delivers them for the given time. */
  void deliverAs(long count, long... sequences) {
    for (long sequence : sequences) {
      deliverAged(Duration.ZERO, count, sequence);
    }
  }

  /** Delivers them for the first time, each of that size. */
  void deliverSized(long bytes, long... sequences) {
    for (long sequence : sequences) {
      deliver(Duration.ZERO, 1, sequence, bytes);
    }
  }

  void deliverAged(Duration age, long count, long sequence) {
    deliver(age, count, sequence, BYTES);
  }

  private void deliver(Duration age, long count, long sequence, long bytes) {
    String delivery = sequence + "#" + count;
    port.referee.delivered(delivery, nanos);
    worker.delivered(delivery, sequence, count, epochMillis - age.toMillis(), bytes, nanos, now());
  }

  /** Takes back what no thread has begun with, and pauses: those are held ready from then on. */
  void pauseBeforeTheyBegin() {
    worker.pause();
    port.threadsBusy = false;
    commands();
  }

  // How handlers end.

  void done(long... sequences) {
    for (long sequence : sequences) {
      end(sequence, Outcome.Done.DONE);
    }
  }

  void fail(long... sequences) {
    for (long sequence : sequences) {
      end(sequence, Outcome.failed(new IllegalStateException("boom " + sequence)));
    }
  }

  void failTransiently(long sequence, Duration delay) {
    end(sequence, Outcome.failed(new RetryAfterException(delay)));
  }

  void reject(long... sequences) {
    for (long sequence : sequences) {
      end(sequence, Outcome.failed(new RejectedMessageException("unwanted " + sequence)));
    }
  }

  void failToDecode(long sequence) {
    end(sequence, new Outcome.Undecodable(new IllegalArgumentException("garbled " + sequence)));
  }

  void begin(long... sequences) {
    for (long sequence : sequences) {
      port.begin(message(sequence));
    }
  }

  void end(long sequence, Outcome outcome) {
    end(message(sequence), outcome);
  }

  void end(InFlight<String> message, Outcome outcome) {
    port.end(message);
    port.referee.ended(message, outcome);
    worker.ended(message, outcome, now());
  }

  // What the stores answer.

  void noDeadLetter(long sequence) {
    worker.deadLetterChecked(message(sequence), false, now());
  }

  void deadLetterFound(long sequence) {
    port.referee.evidenceStored(sequence);
    worker.deadLetterChecked(message(sequence), true, now());
  }

  void buried(long... sequences) {
    for (long sequence : sequences) {
      buried(message(sequence));
    }
  }

  void buried(InFlight<String> message) {
    port.referee.evidenceStored(message.sequence());
    worker.buried(message, now());
  }

  void deadLettersFail(long... sequences) {
    for (long sequence : sequences) {
      worker.storeFailed(
          StoreKind.DEAD_LETTERS, message(sequence), new IllegalStateException("full"), now());
    }
  }

  void deadLetterRefused(long... sequences) {
    for (long sequence : sequences) {
      worker.deadLetterRefused(message(sequence), new IllegalStateException("newer"), now());
    }
  }

  void noNote(long sequence) {
    worker.noteRead(message(sequence), Optional.empty(), now());
  }

  void noteSays(long sequence, RunNote.Kind kind, long count) {
    worker.noteRead(message(sequence), Optional.of(new RunNote(kind, count)), now());
  }

  void noteStored(long... sequences) {
    for (long sequence : sequences) {
      worker.noteStored(message(sequence), now());
    }
  }

  void notesFail(long sequence) {
    worker.storeFailed(
        StoreKind.NOTES, message(sequence), new IllegalStateException("away"), now());
  }

  // What the ledger answers, to whoever has waited longest.

  /** Of those looked up, these are completed and the others are not. */
  void lookedUp(long... completed) {
    List<InFlight<String>> batch = port.nextLookUp();
    BitSet found = new BitSet();
    for (int i = 0; i < batch.size(); i++) {
      long sequence = batch.get(i).sequence();
      found.set(i, LongStream.of(completed).anyMatch(one -> one == sequence));
    }
    port.referee.lookedUp(batch, found);
    worker.completionsLookedUp(batch, found, now());
  }

  /** The answer has to wait, and comes after all that others wait for now. */
  void lookUpIsHeld() {
    worker.lookUpHeld(port.holdNextLookUp(), now());
  }

  void lookUpFails() {
    worker.lookUpFailed(port.nextLookUp(), new IllegalStateException("ledger away"), now());
  }

  void recorded() {
    List<InFlight<String>> batch = port.nextRecording();
    port.referee.recorded(batch);
    worker.completionsRecorded(batch, now());
  }

  void recordingFails() {
    worker.recordingFailed(port.nextRecording(), new IllegalStateException("ledger away"), now());
  }

  /** Delivers them for the given time, and the ledger knows none of them. */
  void deliverUncompleted(long count, long... sequences) {
    deliverAs(count, sequences);
    tick();
    lookedUp();
  }

  // What is looked at.

  InFlight<String> message(long sequence) {
    return port.message(sequence);
  }

  List<String> commands() {
    return port.commands();
  }

  List<String> events() {
    return port.events();
  }

  WorkerStatus status() {
    return worker.status();
  }

  /** Always jitters by half, so that delays can be read in a test; picks at random else. */
  private static final class HalfJitter implements RandomGenerator {
    private final SplittableRandom random = new SplittableRandom(42);

    @Override
    public long nextLong() {
      return random.nextLong();
    }

    @Override
    public double nextDouble() {
      return 0.5;
    }
  }
}
