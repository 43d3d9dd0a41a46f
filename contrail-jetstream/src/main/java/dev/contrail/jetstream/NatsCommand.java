package dev.contrail.jetstream;

import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;

/** Commands of the {@code nats} tool, fit to be pasted into a shell. */
final class NatsCommand {
  private NatsCommand() {}

  /** Creates the stream or bucket. */
  static String add(Store store, Names names, StreamConfiguration config) {
    return store
        .bucket(names)
        .map(bucket -> addBucket(bucket, config))
        .orElseGet(() -> addStream(config));
  }

  /** Changes a stream by the flags given. */
  static String edit(String stream, List<String> flags) {
    return "nats stream edit " + stream + " " + String.join(" ", flags);
  }

  /** A duration as the tool reads it. */
  static String duration(Duration duration) {
    return duration.toSeconds() % 3600 == 0 && !duration.isZero()
        ? duration.toHours() + "h"
        : duration.toSeconds() + "s";
  }

  /** Subjects in one flag; a shell would take the wildcards for itself. */
  static String subjects(List<String> subjects) {
    return "--subjects='" + String.join(",", subjects) + "'";
  }

  private static String addBucket(String bucket, StreamConfiguration config) {
    return String.join(
        " ",
        "nats kv add",
        bucket,
        "--history=1",
        "--ttl=" + duration(config.getMaxAge()),
        "--storage=file",
        "--replicas=" + config.getReplicas());
  }

  private static String addStream(StreamConfiguration config) {
    boolean ages = !config.getMaxAge().isZero();
    return String.join(
        " ",
        "nats stream add",
        config.getName(),
        subjects(config.getSubjects()),
        "--storage=file",
        "--retention=limits",
        "--discard=" + (config.getDiscardPolicy() == DiscardPolicy.New ? "new" : "old"),
        "--max-age=" + (ages ? duration(config.getMaxAge()) : "-1"),
        "--max-msgs=-1",
        "--max-msgs-per-subject=-1",
        "--max-bytes=-1",
        "--max-msg-size=-1",
        "--dupe-window=2m",
        "--no-allow-direct",
        "--replicas=" + config.getReplicas(),
        "--defaults");
  }
}
