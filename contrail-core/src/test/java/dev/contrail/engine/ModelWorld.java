package dev.contrail.engine;

import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A server, stores, handler threads and a network around a worker; all of them may fail. */
final class ModelWorld implements Port<String> {
  private static final class Pull {
    final long id;
    final long endsNanos;
    int owed;
    long bytes;

    Pull(long id, int owed, long bytes, long endsNanos) {
      this.id = id;
      this.owed = owed;
      this.bytes = bytes == ANY_SIZE ? Long.MAX_VALUE : bytes;
      this.endsNanos = endsNanos;
    }
  }

  /** The latest look-up of a message in the ledger. */
  private static final class Question {
    final long askedAt;
    boolean answered;
    boolean failed;
    long answeredNanos;

    Question(long askedAt) {
      this.askedAt = askedAt;
    }
  }

  /** How long a worker may rely on a look-up, and how often it goes through what waits long. */
  private static final Duration GOOD_FOR = Duration.ofSeconds(2);

  private static final Duration SCAN = Duration.ofSeconds(1);

  /** Deliveries of kinds 0 to 11 succeed, the others fail in their own ways; 19 kills. */
  private static final int KILLER = 19;

  /** Until the world is healed, an entry lies under the id of this message that nobody can read. */
  private static final long UNREADABLE = 3;

  final WorkerPolicy policy;
  final Duration ackWait;
  final RandomGenerator random;
  private final int size;
  private final List<String> log = new ArrayList<>();

  private long nanos;
  private long epochMillis = 1_700_000_000_000L;
  private int incarnation = 1;
  private ModelStream stream;
  private Worker<String> worker;
  private Referee referee = new Referee();

  private final Deque<Runnable> inbox = new ArrayDeque<>();
  private final List<Runnable> answers = new ArrayList<>();
  private final List<Pull> pulls = new ArrayList<>();
  private final List<InFlight<String>> queued = new ArrayList<>();
  private final Map<InFlight<String>, Long> begun = new LinkedHashMap<>();
  private final Set<InFlight<String>> interrupted = new HashSet<>();
  private final Set<Long> deadLetters = new HashSet<>();
  private final Map<Long, RunNote> notes = new HashMap<>();
  private final Set<Long> startedAloneWhenKilled = new HashSet<>();

  private final boolean ledger;
  private final Map<Long, Long> recordedAt = new HashMap<>();
  private final IdentityHashMap<InFlight<String>, Question> questions = new IdentityHashMap<>();
  private final Set<Long> doneHere = new HashSet<>();
  private long moment;

  boolean connected = true;
  boolean outage;
  boolean healed;
  boolean killersKill = true;
  boolean readsFail;
  boolean writesFail;
  boolean ledgerFails;

  ModelWorld(
      WorkerPolicy policy,
      Duration ackWait,
      boolean ledger,
      int size,
      long nanos,
      RandomGenerator random) {
    this.policy = policy;
    this.ledger = ledger;
    this.ackWait = ackWait;
    this.size = size;
    this.nanos = nanos;
    this.random = random;
    this.stream = new ModelStream(incarnation, size, ackWait.toNanos(), now(), random);
    this.worker = newWorker();
  }

  private Worker<String> newWorker() {
    referee.ackWait(ackWait.toNanos());
    referee.ledger(ledger);
    Worker<String> started = new Worker<>(policy, ackWait, ledger, this, random);
    started.tick(now());
    if (connected) {
      started.consumerReady(ackWait, Optional.empty());
    }
    return started;
  }

  Now now() {
    return new Now(nanos, epochMillis);
  }

  WorkerStatus status() {
    return worker.status();
  }

  Worker<String> worker() {
    return worker;
  }

  boolean streamIsEmpty() {
    return stream.isEmpty();
  }

  String story() {
    return String.join("\n", log.subList(Math.max(0, log.size() - 120), log.size()))
        + "\nleft on the server: "
        + stream
        + "\nworker: "
        + status();
  }

  private void tell(String what) {
    log.add(Duration.ofNanos(nanos).toMillis() + " " + what);
  }

  // Time and the loop.

  /** Time passes, the worker ticks, and what the server sent meanwhile is taken in. */
  void pass(Duration time) {
    nanos += time.toNanos();
    epochMillis += time.toMillis();
    stream.tick(now());
    worker.tick(now());
    if (connected) {
      worker.heartbeat(now());
    }
    takeIn();
    endExpiredPulls();
    if (ledger) {
      queued.forEach(this::requireLookedUpLately);
    }
    if (status().inFlight() > policy.window()) {
      throw new AssertionError("foul: holds more than its window: " + status());
    }
    // One that is larger than messages may be has to be taken all the same.
    long mostBytes = policy.windowBytes() + 2 * ModelStream.LARGEST;
    if (mostBytes > 0 && status().inFlightBytes() > mostBytes) {
      throw new AssertionError("foul: holds more bytes than it may: " + status());
    }
  }

  /** What waits for a thread has been looked up lately, or is being so. */
  private void requireLookedUpLately(InFlight<String> message) {
    Question question = questions.get(message);
    if (question == null
        || question.failed
        || (question.answered && isOlder(question, GOOD_FOR.plus(SCAN)))) {
      throw new AssertionError("foul: leaves " + message + " to be begun on an old look-up");
    }
  }

  private boolean isOlder(Question question, Duration age) {
    return nanos - question.answeredNanos > age.toNanos();
  }

  /** Whether what handlers did, in this process, is recorded. */
  boolean isAllRecorded() {
    return !ledger || recordedAt.keySet().containsAll(doneHere);
  }

  /** The process stands still while the server goes on sending. */
  void standStill(Duration time) {
    tell("stands still for " + time);
    for (int i = random.nextInt(3); i > 0; i--) {
      send();
    }
    nanos += time.toNanos();
    epochMillis += time.toMillis();
    stream.tick(now());
    if (connected && random.nextBoolean()) {
      disconnect();
    }
    pass(Duration.ZERO);
  }

  private void takeIn() {
    while (!inbox.isEmpty()) {
      inbox.remove().run();
    }
  }

  private void endExpiredPulls() {
    pulls.removeIf(
        pull -> {
          boolean over = nanos - pull.endsNanos > 0;
          if (over) {
            worker.pullEnded(pull.id, now());
          }
          return over || pull.owed == 0;
        });
  }

  // The server.

  void deliver() {
    send();
    takeIn();
  }

  private void send() {
    pulls.removeIf(pull -> pull.owed == 0);
    if (connected && !pulls.isEmpty()) {
      stream.next(now(), random).ifPresent(this::send);
    }
  }

  /** On the first pull that it fits; those before it end. */
  private void send(ModelStream.Stored stored) {
    while (!pulls.isEmpty() && pulls.get(0).bytes < stored.bytes()) {
      long id = pulls.remove(0).id;
      inbox.add(() -> worker.pullTooSmall(id, now()));
    }
    if (pulls.isEmpty()) {
      return;
    }
    stream.deliver(stored, false, now());
    Pull pull = pulls.get(0);
    pull.bytes -= stored.bytes();
    pull.owed = pull.bytes == 0 ? 0 : pull.owed - 1;
    String delivery = stream.name(stored);
    long count = stored.count;
    inbox.add(() -> arrive(delivery, stored, count));
  }

  private void arrive(String delivery, ModelStream.Stored stored, long count) {
    tell("delivered " + delivery);
    referee.delivered(delivery, nanos);
    worker.delivered(
        delivery, stored.sequence, count, stored.publishedMillis, stored.bytes(), nanos, now());
  }

  void deliverElsewhere() {
    stream.next(now(), random).ifPresent(stored -> stream.deliver(stored, true, now()));
  }

  void otherWorkerActs() {
    stream.otherWorkerActs(now(), random, this::recordedElsewhere);
  }

  /** Another worker whose lease ran out is done at last, or died between its record and its ack. */
  void otherWorkerRecords() {
    if (ledger) {
      stream.heldElsewhereBefore(random).ifPresent(stored -> recordedElsewhere(stored.sequence));
    }
  }

  private void recordedElsewhere(long sequence) {
    tell("completed elsewhere: " + sequence);
    record(sequence);
  }

  private void record(long sequence) {
    recordedAt.putIfAbsent(sequence, ++moment);
  }

  void forgetAck() {
    if (ledger) {
      stream.forgetAck(now(), random);
    }
  }

  void disconnect() {
    if (connected) {
      tell("disconnected");
      connected = false;
      pulls.clear();
      worker.disconnected();
    }
  }

  void reconnect() {
    if (!connected) {
      tell("reconnected");
      connected = true;
      worker.consumerReady(ackWait, Optional.empty());
    }
  }

  void replaceStream() {
    tell("stream replaced");
    incarnation++;
    stream = new ModelStream(incarnation, size, ackWait.toNanos(), now(), random);
    inbox.clear();
    pulls.clear();
    deadLetters.clear();
    notes.clear();
    startedAloneWhenKilled.clear();
    recordedAt.clear();
    doneHere.clear();
    worker.consumerGone();
    worker.streamReplaced();
    referee.streamReplaced();
    if (connected) {
      worker.consumerReady(ackWait, Optional.empty());
    }
  }

  // The process.

  void kill() {
    tell("killed");
    notes.forEach(
        (sequence, note) -> {
          if (note.kind() == RunNote.Kind.STARTED_ALONE) {
            startedAloneWhenKilled.add(sequence);
          }
        });
    inbox.clear();
    answers.clear();
    pulls.clear();
    queued.clear();
    begun.clear();
    interrupted.clear();
    doneHere.clear();
    referee = new Referee();
    deadLetters.forEach(referee::evidenceStored);
    worker = newWorker();
  }

  void beginRun() {
    if (begun.size() < policy.concurrency() && !queued.isEmpty()) {
      InFlight<String> message = queued.remove(0);
      tell("begins " + message);
      begun.put(message, nanos);
      if (killersKill && stream.isOfThisStream(message) && stream.kind(message) == KILLER) {
        kill();
      }
    }
  }

  void endRun() {
    if (!begun.isEmpty()) {
      List<InFlight<String>> running = new ArrayList<>(begun.keySet());
      end(running.get(random.nextInt(running.size())));
    }
  }

  void endInterrupted() {
    new ArrayList<>(interrupted).forEach(this::end);
  }

  private void end(InFlight<String> message) {
    Outcome outcome = outcomeOf(message);
    tell("ends " + message + " with " + outcome);
    begun.remove(message);
    interrupted.remove(message);
    if (stream.isOfThisStream(message)) {
      referee.ended(message, outcome);
      if (outcome instanceof Outcome.Done) {
        doneHere.add(message.sequence());
      }
    }
    worker.ended(message, outcome, now());
  }

  private Outcome outcomeOf(InFlight<String> message) {
    int kind = stream.kind(message);
    if (healed || (!outage && kind < 12)) {
      return Outcome.Done.DONE;
    }
    if (outage || kind < 15) {
      return Outcome.failed(new IllegalStateException("boom"));
    }
    return switch (kind) {
      case 15 -> Outcome.failed(new RejectedMessageException("unwanted"));
      case 16 -> new Outcome.Undecodable(new IllegalStateException("garbled"));
      default -> Outcome.failed(new RetryAfterException(Duration.ofMillis(random.nextInt(9000))));
    };
  }

  // The stores.

  void answerOne() {
    if (!answers.isEmpty()) {
      answers.remove(random.nextInt(answers.size())).run();
    }
  }

  void answerAll() {
    while (!answers.isEmpty()) {
      answerOne();
    }
  }

  private void answer(StoreKind kind, boolean fails, InFlight<String> message, Runnable success) {
    // An answer may get lost although the request was heeded.
    boolean lost = !connected || fails || (!healed && random.nextInt(12) == 0);
    answers.add(
        lost
            ? () -> worker.storeFailed(kind, message, new IllegalStateException("away"), now())
            : success);
  }

  /** Whether the dead letter of this message alone cannot be read nor stored, for good or once. */
  private boolean refuses(InFlight<String> message) {
    boolean refused = !healed && (message.sequence() == UNREADABLE || random.nextInt(12) == 0);
    if (refused) {
      answers.add(
          () -> worker.deadLetterRefused(message, new IllegalStateException("newer"), now()));
    }
    return refused;
  }

  private void requireOfThisStream(String what, InFlight<String> message) {
    tell(what + " " + message);
    if (!stream.isOfThisStream(message)) {
      throw new AssertionError("foul: " + what + " " + message + " of a stream that is no more");
    }
  }

  @Override
  public void lookUpCompletions(List<InFlight<String>> messages) {
    messages.forEach(message -> requireOfThisStream("completed?", message));
    referee.looksUp(messages);
    Question question = new Question(++moment);
    messages.forEach(message -> questions.put(message, question));
    if (isLedgerLost()) {
      answers.add(
          () -> {
            question.failed = true;
            worker.lookUpFailed(messages, new IllegalStateException("ledger away"), now());
          });
      return;
    }
    // As true now as when it is answered: either will do.
    BitSet early = recorded(messages);
    boolean late = random.nextBoolean();
    int asked = incarnation;
    answers.add(
        () -> {
          BitSet found = late && asked == incarnation ? recorded(messages) : early;
          question.answered = true;
          question.answeredNanos = nanos;
          referee.lookedUp(messages, found);
          worker.completionsLookedUp(messages, found, now());
        });
  }

  private BitSet recorded(List<InFlight<String>> messages) {
    BitSet found = new BitSet();
    for (int i = 0; i < messages.size(); i++) {
      found.set(i, recordedAt.containsKey(messages.get(i).sequence()));
    }
    return found;
  }

  @Override
  public void recordCompletions(List<InFlight<String>> messages) {
    messages.forEach(message -> requireOfThisStream("record", message));
    boolean lost = isLedgerLost();
    if (connected && !ledgerFails) {
      messages.forEach(message -> record(message.sequence()));
    }
    answers.add(
        () -> {
          if (lost) {
            worker.recordingFailed(messages, new IllegalStateException("ledger away"), now());
          } else {
            referee.recorded(messages);
            worker.completionsRecorded(messages, now());
          }
        });
  }

  /** What is recorded may be so although the answer gets lost. */
  private boolean isLedgerLost() {
    return !connected || ledgerFails || (!healed && random.nextInt(12) == 0);
  }

  @Override
  public void checkDeadLetter(InFlight<String> message) {
    requireOfThisStream("look up", message);
    if (refuses(message)) {
      return;
    }
    boolean found = deadLetters.contains(message.sequence());
    answer(
        StoreKind.DEAD_LETTERS,
        readsFail,
        message,
        () -> worker.deadLetterChecked(message, found, now()));
  }

  @Override
  public void readNote(InFlight<String> message) {
    requireOfThisStream("read note", message);
    Optional<RunNote> note = Optional.ofNullable(notes.get(message.sequence()));
    answer(StoreKind.NOTES, readsFail, message, () -> worker.noteRead(message, note, now()));
  }

  @Override
  public void writeNote(InFlight<String> message, RunNote note) {
    requireOfThisStream("note " + note.text(), message);
    if (connected && !writesFail) {
      notes.put(message.sequence(), note);
    }
    answer(StoreKind.NOTES, writesFail, message, () -> worker.noteStored(message, now()));
  }

  @Override
  public void bury(InFlight<String> message) {
    requireOfThisStream("bury (" + message.cause() + ")", message);
    boolean condemned = message.cause() instanceof NoOutcomeException;
    if (condemned && !startedAloneWhenKilled.contains(message.sequence())) {
      throw new AssertionError("foul: condemns " + message + ", which never killed a worker");
    }
    if (refuses(message)) {
      return;
    }
    if (connected && !writesFail) {
      deadLetters.add(message.sequence());
      referee.evidenceStored(message.sequence());
    }
    answer(StoreKind.DEAD_LETTERS, writesFail, message, () -> worker.buried(message, now()));
  }

  // The handler's threads.

  @Override
  public Optional<Duration> timeToLive(InFlight<String> message) {
    return Optional.empty();
  }

  @Override
  public void run(InFlight<String> message) {
    requireOfThisStream("run", message);
    referee.runs(message);
    if (ledger) {
      requireLookedUp(message);
    }
    queued.add(message);
  }

  private void requireLookedUp(InFlight<String> message) {
    Question latest = questions.get(message);
    if (latest == null || !latest.answered || isOlder(latest, GOOD_FOR)) {
      throw new AssertionError("foul: runs " + message + " on no look-up, or an old one");
    }
    Long recorded = recordedAt.get(message.sequence());
    if (recorded != null && recorded < latest.askedAt) {
      throw new AssertionError("foul: runs " + message + ", completed before it was looked up");
    }
  }

  @Override
  public boolean recall(InFlight<String> message) {
    boolean recalled = queued.remove(message);
    if (recalled) {
      referee.recalled(message);
    }
    return recalled;
  }

  @Override
  public OptionalLong startedNanos(InFlight<String> message) {
    Long started = begun.get(message);
    return started == null ? OptionalLong.empty() : OptionalLong.of(started);
  }

  @Override
  public Throwable interrupt(InFlight<String> message, Duration timeout) {
    tell("interrupt " + message);
    if (begun.containsKey(message)) {
      interrupted.add(message);
    }
    return new IllegalStateException("interrupted");
  }

  // The network.

  @Override
  public void pull(long pullId, int batch, long bytes) {
    if (connected) {
      pulls.add(new Pull(pullId, batch, bytes, nanos + Worker.PULL_EXPIRES.toNanos()));
    }
  }

  @Override
  public void endPulls() {
    pulls.clear();
  }

  @Override
  public long largestMessage() {
    return ModelStream.LARGEST;
  }

  @Override
  public void echo(long token) {
    if (connected) {
      inbox.add(() -> worker.echoed(token));
    }
  }

  @Override
  public void extend(List<InFlight<String>> messages, long token) {
    messages.forEach(message -> referee.extends_(message, nanos));
    if (!connected || (!healed && random.nextInt(8) == 0)) {
      return;
    }
    messages.forEach(message -> stream.extended(message, now()));
    List<String> deliveries = messages.stream().map(InFlight::message).toList();
    long sent = nanos;
    answers.add(
        () -> {
          referee.extended(deliveries, sent);
          worker.leasesExtended(token);
        });
  }

  @Override
  public void ack(InFlight<String> message) {
    requireOfThisStream("ack", message);
    referee.acks(message, nanos);
    if (ledger && !recordedAt.containsKey(message.sequence())) {
      throw new AssertionError("foul: acks " + message + ", which nobody has recorded");
    }
    if (arrives()) {
      stream.acked(message);
    }
  }

  @Override
  public void nak(InFlight<String> message, Duration delay) {
    requireOfThisStream("nak", message);
    referee.naks(message, nanos);
    if (arrives()) {
      stream.naked(message, delay.toNanos(), now());
    }
  }

  @Override
  public void term(InFlight<String> message) {
    requireOfThisStream("term", message);
    referee.terminates(message, nanos);
    if (arrives()) {
      stream.termed(message);
    }
  }

  private boolean arrives() {
    return connected && (healed || random.nextInt(12) != 0);
  }

  @Override
  public void report(WorkerEvent<String> event) {
    tell(Wording.of(event));
    if (event instanceof WorkerEvent.LeaseLost<String> lost) {
      referee.leaseLost(lost.message());
    }
  }
}
