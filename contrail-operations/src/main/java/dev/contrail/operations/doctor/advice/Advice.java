package dev.contrail.operations.doctor.advice;

import dev.contrail.Durations;
import dev.contrail.jetstream.NatsCommand;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stream that fits.
 *
 * @param reasons why it is as it is, a sentence each
 */
public record Advice(StreamConfiguration stream, List<String> reasons) {
  private static final Duration DUPLICATES = Duration.ofMinutes(2);
  private static final Duration USUAL_AGE = Duration.ofDays(7);

  public Advice {
    reasons = List.copyOf(reasons);
  }

  /** The stream that fits the needs. */
  public static Advice of(Needs needs) {
    List<String> reasons = new ArrayList<>();
    RetentionPolicy retention = retention(needs, reasons);
    StreamConfiguration.Builder stream =
        StreamConfiguration.builder()
            .name(needs.name())
            .subjects(needs.subjects())
            .storageType(StorageType.File)
            .retentionPolicy(retention)
            .discardPolicy(DiscardPolicy.New)
            .duplicateWindow(DUPLICATES)
            .replicas(needs.replicas());
    reasons.add("Storage is file: a restart of the server loses nothing.");
    bound(stream, needs, retention, reasons);
    reasons.add(
        needs.replicas() > 1
            ? "Replicas are " + needs.replicas() + ": it outlives a server."
            : "Replicas are 1: enough for a server on its own; in a cluster take 3.");
    return new Advice(stream.build(), reasons);
  }

  /** The command of the {@code nats} tool that creates it. */
  public String command() {
    return NatsCommand.addStream(stream);
  }

  private static RetentionPolicy retention(Needs needs, List<String> reasons) {
    if (!needs.waitsForWorker() && needs.mayVanish()) {
      reasons.add(
          "Retention is interest: a message is kept until every consumer that was there when it"
              + " came has acknowledged it, and one that nobody takes vanishes.");
      return RetentionPolicy.Interest;
    }
    String stays = needs.waitsForWorker() ? "work waits for a worker that is yet to come" : "";
    if (needs.severalReaders()) {
      reasons.add(
          "Retention is limits: "
              + (stays.isEmpty() ? "" : stays + ", and ")
              + "every consumer gets every message; acknowledging deletes nothing, only limits do.");
      return RetentionPolicy.Limits;
    }
    reasons.add(
        "Retention is workqueue: "
            + (stays.isEmpty() ? "" : stays + ", and ")
            + "a message goes to one consumer and is deleted when it is acknowledged, not before.");
    return RetentionPolicy.WorkQueue;
  }

  private static void bound(
      StreamConfiguration.Builder stream,
      Needs needs,
      RetentionPolicy retention,
      List<String> reasons) {
    Optional<Needs.Bounds> bounds = needs.bounds();
    if (bounds.isEmpty()) {
      reasons.add(
          "There is no limit: it grows until the disk is full. The doctor will say so (CT024).");
      return;
    }
    stream.maxBytes(bounds.get().bytes());
    reasons.add(
        "Discard is new: when it is full publishers are told, and no work is deleted unread.");
    Optional<Duration> age =
        bounds
            .get()
            .age()
            .or(
                () ->
                    retention == RetentionPolicy.Limits
                        ? Optional.of(USUAL_AGE)
                        : Optional.empty());
    age.ifPresent(
        most -> {
          stream.maxAge(most);
          reasons.add(
              "Max age is "
                  + Durations.format(most)
                  + ": what is older is deleted, read or not"
                  + (retention == RetentionPolicy.Limits
                      ? ", for nothing else makes room in a stream with this retention."
                      : "."));
        });
  }
}
