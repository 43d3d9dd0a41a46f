package dev.contrail.jetstream;

import dev.contrail.engine.RunNote;
import dev.contrail.evidence.DeadLetterId;
import io.nats.client.impl.Headers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The notes on messages at their last chance, one key a message, in a bucket with a TTL. */
final class RunNotes {
  private final JetStreamApi api;
  private final String bucket;

  RunNotes(JetStreamApi api, Names names) {
    this.api = api;
    this.bucket = names.retriesBucket();
  }

  CompletableFuture<Void> write(DeadLetterId id, RunNote note) {
    return api.publish(
        "KV_" + bucket, subject(id), new Headers(), note.text().getBytes(StandardCharsets.UTF_8));
  }

  CompletableFuture<Optional<RunNote>> read(DeadLetterId id) {
    return api.last("KV_" + bucket, subject(id))
        .thenApply(
            stored ->
                stored.flatMap(
                    message -> RunNote.parse(new String(message.data(), StandardCharsets.UTF_8))));
  }

  private String subject(DeadLetterId id) {
    return "$KV." + bucket + "." + id;
  }
}
