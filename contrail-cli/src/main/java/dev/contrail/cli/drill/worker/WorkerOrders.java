package dev.contrail.cli.drill.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What a process of a drill is told.
 *
 * @param role what it does
 * @param subject what the stream takes
 * @param prefix first part of the names of what Contrail stores
 * @param log where it writes down what it does
 * @param work how long a handler takes for each message
 * @param point where it stops to be killed
 * @param nth at which message that gets there, from 1
 * @param forget after how long a {@link Role#TTL} worker forgets what it has done
 */
public record WorkerOrders(
    Role role,
    String stream,
    String consumer,
    String subject,
    String prefix,
    String log,
    Duration ackWait,
    int concurrency,
    Duration work,
    Optional<Point> point,
    int nth,
    Duration forget) {
  /** What a process does. */
  public enum Role {
    /** A worker of Contrail. */
    CONTRAIL,
    /** Replays all dead letters, or goes on with the plan that is there. */
    REPLAY,
    /** A bare client that terminates, then stores the evidence. */
    TERM_FIRST,
    /** A bare client that acknowledges, then works. */
    ACK_FIRST,
    /** A bare client that remembers what is done for a while. */
    TTL
  }

  /** Where a bare client keeps its dead letters. */
  public static String naiveDead(String prefix) {
    return prefix + ".naive.dead";
  }

  /** Where a bare client notes what is done. */
  public static String naiveDone(String prefix) {
    return prefix + ".naive.done";
  }

  /** The stream of {@link #naiveDead}. */
  public static String naiveDeadStream(String prefix) {
    return prefix.toUpperCase(Locale.ROOT) + "_NAIVE_DEAD";
  }

  /** The stream of {@link #naiveDone}, which forgets. */
  public static String naiveDoneStream(String prefix) {
    return prefix.toUpperCase(Locale.ROOT) + "_NAIVE_DONE";
  }

  /** The same, to be killed there. */
  public WorkerOrders at(Point where, int message) {
    return new WorkerOrders(
        role,
        stream,
        consumer,
        subject,
        prefix,
        log,
        ackWait,
        concurrency,
        work,
        Optional.of(where),
        message,
        forget);
  }

  /** The same, with a log of its own. */
  public WorkerOrders logging(Path file) {
    return new WorkerOrders(
        role,
        stream,
        consumer,
        subject,
        prefix,
        file.toString(),
        ackWait,
        concurrency,
        work,
        point,
        nth,
        forget);
  }

  /** The same as another kind of process. */
  public WorkerOrders as(Role newRole) {
    return new WorkerOrders(
        newRole,
        stream,
        consumer,
        subject,
        prefix,
        log,
        ackWait,
        concurrency,
        work,
        point,
        nth,
        forget);
  }

  /** The same with handlers that take so long. */
  public WorkerOrders taking(Duration time) {
    return new WorkerOrders(
        role,
        stream,
        consumer,
        subject,
        prefix,
        log,
        ackWait,
        concurrency,
        time,
        point,
        nth,
        forget);
  }
}
