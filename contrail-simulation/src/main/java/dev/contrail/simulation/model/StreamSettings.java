package dev.contrail.simulation.model;

import java.time.Duration;
import java.util.List;

/**
 * How a stream is configured. Limits of 0 do not limit.
 *
 * @param discardNewPerSubject with {@link Discard#NEW}: whether also the limit on messages of one
 *     subject refuses
 */
public record StreamSettings(
    String name,
    List<String> subjects,
    Retention retention,
    Storage storage,
    Discard discard,
    boolean discardNewPerSubject,
    long maxMessages,
    long maxMessagesPerSubject,
    int maxMessageSize,
    Duration maxAge,
    Duration duplicateWindow) {
  /** What decides how long a message stays. */
  public enum Retention {
    LIMITS,
    INTEREST,
    WORKQUEUE
  }

  /** Where the server keeps messages; what a crash leaves is not different in the model. */
  public enum Storage {
    FILE,
    MEMORY
  }

  /** Which message goes when the stream is full. */
  public enum Discard {
    OLD,
    NEW
  }

  public StreamSettings {
    subjects = List.copyOf(subjects);
  }

  /** A stream without limits, with the server's duplicate window of two minutes. */
  public static StreamSettings of(String name, String... subjects) {
    return new StreamSettings(
        name,
        List.of(subjects),
        Retention.LIMITS,
        Storage.FILE,
        Discard.OLD,
        false,
        0,
        0,
        0,
        Duration.ZERO,
        Duration.ofMinutes(2));
  }

  /** A bucket as the server stores it: the last {@code history} values of each key. */
  public static StreamSettings bucket(String bucket, int history, Duration ttl) {
    StreamSettings stream =
        of("KV_" + bucket, "$KV." + bucket + ".>")
            .withDiscard(Discard.NEW)
            .withMaxMessagesPerSubject(history);
    return ttl.isZero() ? stream : stream.withMaxAge(ttl);
  }

  public StreamSettings withRetention(Retention newRetention) {
    return new StreamSettings(
        name,
        subjects,
        newRetention,
        storage,
        discard,
        discardNewPerSubject,
        maxMessages,
        maxMessagesPerSubject,
        maxMessageSize,
        maxAge,
        duplicateWindow);
  }

  public StreamSettings withStorage(Storage newStorage) {
    return new StreamSettings(
        name,
        subjects,
        retention,
        newStorage,
        discard,
        discardNewPerSubject,
        maxMessages,
        maxMessagesPerSubject,
        maxMessageSize,
        maxAge,
        duplicateWindow);
  }

  public StreamSettings withDiscard(Discard newDiscard) {
    return new StreamSettings(
        name,
        subjects,
        retention,
        storage,
        newDiscard,
        discardNewPerSubject,
        maxMessages,
        maxMessagesPerSubject,
        maxMessageSize,
        maxAge,
        duplicateWindow);
  }

  /** {@link Discard#NEW}, for each subject too. */
  public StreamSettings withDiscardNewPerSubject() {
    return new StreamSettings(
        name,
        subjects,
        retention,
        storage,
        Discard.NEW,
        true,
        maxMessages,
        maxMessagesPerSubject,
        maxMessageSize,
        maxAge,
        duplicateWindow);
  }

  public StreamSettings withMaxMessages(long limit) {
    return new StreamSettings(
        name,
        subjects,
        retention,
        storage,
        discard,
        discardNewPerSubject,
        limit,
        maxMessagesPerSubject,
        maxMessageSize,
        maxAge,
        duplicateWindow);
  }

  public StreamSettings withMaxMessagesPerSubject(long limit) {
    return new StreamSettings(
        name,
        subjects,
        retention,
        storage,
        discard,
        discardNewPerSubject,
        maxMessages,
        limit,
        maxMessageSize,
        maxAge,
        duplicateWindow);
  }

  public StreamSettings withMaxMessageSize(int limit) {
    return new StreamSettings(
        name,
        subjects,
        retention,
        storage,
        discard,
        discardNewPerSubject,
        maxMessages,
        maxMessagesPerSubject,
        limit,
        maxAge,
        duplicateWindow);
  }

  /** A duplicate window longer than the age is shortened to it. */
  public StreamSettings withMaxAge(Duration age) {
    return new StreamSettings(
        name,
        subjects,
        retention,
        storage,
        discard,
        discardNewPerSubject,
        maxMessages,
        maxMessagesPerSubject,
        maxMessageSize,
        age,
        duplicateWindow.compareTo(age) > 0 ? age : duplicateWindow);
  }

  public StreamSettings withDuplicateWindow(Duration window) {
    return new StreamSettings(
        name,
        subjects,
        retention,
        storage,
        discard,
        discardNewPerSubject,
        maxMessages,
        maxMessagesPerSubject,
        maxMessageSize,
        maxAge,
        window);
  }
}
