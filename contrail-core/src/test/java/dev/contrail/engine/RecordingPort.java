package dev.contrail.engine;

import dev.contrail.Durations;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Writes down in words what the worker wants done, and leaves every answer to the test. Deliveries
 * are known by sequence and count: {@code 7#2} is the second delivery of message 7.
 */
final class RecordingPort implements Port<String> {
  record Extension(List<String> deliveries, long token, long sentNanos) {}

  final Referee referee = new Referee();

  /** While true, what is run waits for a thread until the test begins it. */
  boolean threadsBusy;

  /** How long messages live that say so, by sequence. */
  final Map<Long, Duration> timesToLive = new HashMap<>();

  /** Which messages are copies that a replay published, by sequence. */
  final Set<Long> copies = new HashSet<>();

  /** What the server says that a message may weigh. */
  long largestMessage = 1_000;

  private final LongSupplier nanos;
  private final List<String> commands = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final List<Integer> pulls = new ArrayList<>();
  private final List<Long> pullBytes = new ArrayList<>();
  private final List<Extension> extensions = new ArrayList<>();
  private final Map<Long, InFlight<String>> seen = new HashMap<>();
  private final Set<InFlight<String>> queued = new HashSet<>();
  private final Map<InFlight<String>, Long> begun = new HashMap<>();
  private final Deque<List<InFlight<String>>> lookUps = new ArrayDeque<>();
  private final Deque<List<InFlight<String>>> recordings = new ArrayDeque<>();
  private long lastPull;
  private int timesPullsEnded;

  RecordingPort(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The commands since the last call, but for pulls and extensions. */
  List<String> commands() {
    return taken(commands);
  }

  List<String> events() {
    return taken(events);
  }

  /** The sizes of the pulls since the last call. */
  List<Integer> pulls() {
    return taken(pulls);
  }

  /** What the pulls since the last call may weigh; 0 is anything. */
  List<Long> pullBytes() {
    return taken(pullBytes);
  }

  /** How often all pulls were ended. */
  int timesPullsEnded() {
    return timesPullsEnded;
  }

  List<Extension> extensions() {
    return taken(extensions);
  }

  long lastPull() {
    return lastPull;
  }

  /** The message as the worker last named it. */
  InFlight<String> message(long sequence) {
    return Objects.requireNonNull(
        seen.get(sequence), () -> "the worker never named message " + sequence);
  }

  /** The batch whose look-up in the ledger has waited longest for its answer. */
  List<InFlight<String>> nextLookUp() {
    return lookUps.remove();
  }

  /** The same; its answer is yet to come, after those of all others. */
  List<InFlight<String>> holdNextLookUp() {
    List<InFlight<String>> batch = lookUps.remove();
    lookUps.add(batch);
    return batch;
  }

  /** The batch whose recording has waited longest for its answer. */
  List<InFlight<String>> nextRecording() {
    return recordings.remove();
  }

  boolean isRunning(InFlight<String> message) {
    return begun.containsKey(message);
  }

  void begin(InFlight<String> message) {
    if (!queued.remove(message)) {
      throw new AssertionError(message + " does not wait for a thread");
    }
    begun.put(message, nanos.getAsLong());
  }

  void end(InFlight<String> message) {
    if (begun.remove(message) == null) {
      throw new AssertionError(message + " does not run");
    }
  }

  @Override
  public void pull(long pullId, int batch, long bytes) {
    lastPull = pullId;
    pulls.add(batch);
    pullBytes.add(bytes);
  }

  @Override
  public void endPulls() {
    timesPullsEnded++;
  }

  @Override
  public long largestMessage() {
    return largestMessage;
  }

  @Override
  public Optional<Duration> timeToLive(InFlight<String> message) {
    return Optional.ofNullable(timesToLive.get(message.sequence()));
  }

  @Override
  public boolean isReplayed(InFlight<String> message) {
    return copies.contains(message.sequence());
  }

  @Override
  public void run(InFlight<String> message) {
    record("run", message);
    referee.runs(message);
    queued.add(message);
    if (!threadsBusy) {
      begin(message);
    }
  }

  @Override
  public boolean recall(InFlight<String> message) {
    if (!queued.remove(message)) {
      return false;
    }
    record("recall", message);
    referee.recalled(message);
    return true;
  }

  @Override
  public OptionalLong startedNanos(InFlight<String> message) {
    Long started = begun.get(message);
    return started == null ? OptionalLong.empty() : OptionalLong.of(started);
  }

  @Override
  public Throwable interrupt(InFlight<String> message, Duration timeout) {
    record("interrupt", message);
    return new IllegalStateException("ran longer than " + Durations.format(timeout));
  }

  @Override
  public void ack(InFlight<String> message) {
    referee.acks(message, nanos.getAsLong());
    record("ack", message);
  }

  @Override
  public void nak(InFlight<String> message, Duration delay) {
    referee.naks(message, nanos.getAsLong());
    record("nak", message, delay.isZero() ? "" : " in " + Durations.format(delay));
  }

  @Override
  public void term(InFlight<String> message) {
    referee.terminates(message, nanos.getAsLong());
    record("term", message);
  }

  @Override
  public void extend(List<InFlight<String>> messages, long token) {
    messages.forEach(message -> referee.extends_(message, nanos.getAsLong()));
    List<String> deliveries = messages.stream().map(InFlight::message).toList();
    extensions.add(new Extension(deliveries, token, nanos.getAsLong()));
  }

  @Override
  public void echo(long token) {
    commands.add("echo " + token);
  }

  @Override
  public void lookUpCompletions(List<InFlight<String>> messages) {
    record("completed?", messages);
    lookUps.add(messages);
    referee.looksUp(messages);
  }

  @Override
  public void recordCompletions(List<InFlight<String>> messages) {
    record("record", messages);
    recordings.add(messages);
  }

  @Override
  public void checkDeadLetter(InFlight<String> message) {
    record("look up", message);
  }

  @Override
  public void readNote(InFlight<String> message) {
    record("read note", message);
  }

  @Override
  public void writeNote(InFlight<String> message, RunNote note) {
    record("note", message, ": " + note.text().substring(2));
  }

  @Override
  public void bury(InFlight<String> message) {
    record("bury", message, ": " + message.reason().text() + ", " + message.cause().getMessage());
  }

  @Override
  public void report(WorkerEvent<String> event) {
    if (event instanceof WorkerEvent.LeaseLost<String> lost) {
      referee.leaseLost(lost.message());
    }
    events.add(Wording.of(event));
  }

  private void record(String command, List<InFlight<String>> messages) {
    messages.forEach(message -> seen.put(message.sequence(), message));
    commands.add(
        command + " " + messages.stream().map(InFlight::message).collect(Collectors.joining(" ")));
  }

  private void record(String command, InFlight<String> message) {
    record(command, message, "");
  }

  private void record(String command, InFlight<String> message, String details) {
    seen.put(message.sequence(), message);
    commands.add(command + " " + message.message() + details);
  }

  private static <T> List<T> taken(List<T> list) {
    List<T> taken = List.copyOf(list);
    list.clear();
    return taken;
  }
}
