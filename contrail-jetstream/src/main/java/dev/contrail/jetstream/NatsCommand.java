package dev.contrail.jetstream;

import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Commands of the {@code nats} tool, fit to be pasted into a shell. */
public final class NatsCommand {
  private NatsCommand() {}

  /** Creates the stream or bucket. */
  static String add(Store store, Names names, StreamConfiguration config) {
    return store
        .bucket(names)
        .map(bucket -> addBucket(bucket, config))
        .orElseGet(() -> addStream(config));
  }

  /** Changes a stream by the flags given. */
  public static String edit(String stream, List<String> flags) {
    return "nats stream edit " + word(stream) + " " + String.join(" ", flags);
  }

  /**
   * Does something with a consumer.
   *
   * @param task what, and with which flags, such as {@code edit --max-deliver=-1}
   */
  public static String consumer(String task, String stream, String consumer) {
    String[] words = task.split(" ", 2);
    return "nats consumer "
        + words[0]
        + " "
        + word(stream)
        + " "
        + word(consumer)
        + (words.length > 1 ? " " + words[1] : "");
  }

  /** A name as a shell takes it: whoever named it may not run anything when it is pasted. */
  public static String word(String name) {
    return name.matches("[A-Za-z0-9_][A-Za-z0-9_-]*") ? name : quoted(name);
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /** A consumer's filters; a shell would take the wildcards for itself. */
  public static String filters(List<String> subjects) {
    return subjects.stream()
        .map(subject -> flag("filter", subject))
        .collect(Collectors.joining(" "));
  }

  /** A flag with a value that a shell leaves alone. */
  public static String flag(String name, String value) {
    return "--" + name + "=" + quoted(value);
  }

  /** A duration as the tool reads it. */
  public static String duration(Duration duration) {
    if (duration.toMillis() % 1000 != 0) {
      return duration.toMillis() + "ms";
    }
    return duration.toSeconds() % 3600 == 0 && !duration.isZero()
        ? duration.toHours() + "h"
        : duration.toSeconds() + "s";
  }

  /** Subjects in one flag; a shell would take the wildcards for itself. */
  public static String subjects(List<String> subjects) {
    return flag("subjects", String.join(",", subjects));
  }

  private static String addBucket(String bucket, StreamConfiguration config) {
    return String.join(
        " ",
        "nats kv add",
        bucket,
        "--history="
            + config.getMaxMsgsPerSubject()
            + (config.getMaxAge().isZero() ? "" : " --ttl=" + duration(config.getMaxAge())),
        "--storage=file",
        "--replicas=" + config.getReplicas());
  }

  /** Creates a stream with file storage. */
  public static String addStream(StreamConfiguration config) {
    return String.join(
        " ",
        "nats stream add",
        word(config.getName()),
        subjects(config.getSubjects()),
        "--storage=file",
        "--retention=" + retention(config.getRetentionPolicy()),
        "--discard=" + (config.getDiscardPolicy() == DiscardPolicy.New ? "new" : "old"),
        "--max-age=" + (config.getMaxAge().isZero() ? "-1" : duration(config.getMaxAge())),
        "--max-msgs=" + limit(config.getMaxMsgs()),
        "--max-msgs-per-subject=" + limit(config.getMaxMsgsPerSubject()),
        "--max-bytes=" + limit(config.getMaxBytes()),
        "--max-msg-size=" + limit(config.getMaximumMessageSize()),
        "--dupe-window=" + window(config.getDuplicateWindow()),
        "--no-allow-direct",
        "--replicas=" + config.getReplicas(),
        "--defaults");
  }

  private static String retention(RetentionPolicy policy) {
    return switch (policy) {
      case Limits -> "limits";
      case Interest -> "interest";
      case WorkQueue -> "work";
    };
  }

  private static long limit(long value) {
    return value > 0 ? value : -1;
  }

  /** A duplicate window as the tool reads it. */
  public static String window(Duration window) {
    return window.toSeconds() % 60 == 0 ? window.toMinutes() + "m" : duration(window);
  }
}
