package dev.contrail.jetstream;

import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Finds out what a publisher needs to know of streams, without blocking. */
final class StreamLookup {
  private final JetStreamApi api;

  StreamLookup(JetStreamApi api) {
    this.api = api;
  }

  /** The stream that takes messages of that subject; empty where none does. */
  CompletableFuture<Optional<String>> streamTaking(String subject) {
    return StreamOfSubject.ask(() -> streamSaidToTake(subject), api.surroundings()::background);
  }

  private CompletableFuture<Optional<String>> streamSaidToTake(String subject) {
    return api.call("STREAM.NAMES", "{\"subject\":" + new JsonValue(subject).toJson() + "}")
        .thenApply(
            answer -> {
              List<String> names = JsonValueUtils.readOptionalStringList(answer, "streams");
              return names == null ? Optional.empty() : names.stream().findFirst();
            });
  }

  /** How that stream tells a message that is published once more; empty where there is none. */
  CompletableFuture<Optional<DuplicateMemory>> duplicateMemory(String subject) {
    return streamTaking(subject)
        .thenCompose(
            stream ->
                stream.isEmpty()
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : api.call("STREAM.INFO." + stream.get(), "").thenApply(StreamLookup::memory));
  }

  private static Optional<DuplicateMemory> memory(JsonValue info) {
    return Optional.ofNullable(JsonValueUtils.readValue(info, "config"))
        .map(
            config ->
                new DuplicateMemory(
                    JsonValueUtils.readNanos(config, "duplicate_window", Duration.ZERO),
                    !"limits".equals(JsonValueUtils.readString(config, "retention"))));
  }
}
