package dev.contrail.operations.workers;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What a bucket holds, read from its leader. */
final class Bucket {
  private static final int MOST = 5_000;
  private static final int AT_ONCE = 100;

  private final JetStreamServer server;
  private final StreamMessages messages;
  private final String stream;
  private final String subjects;

  Bucket(Connection connection, JetStreamOptions options, Names names, Store store) {
    this.server = new JetStreamServer(connection, options);
    this.messages = new StreamMessages(connection, options);
    this.stream = store.stream(names);
    this.subjects = "$KV." + store.bucket(names).orElseThrow() + ".";
  }

  /** A value and its key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(String key, byte[] value) {}

  String subject(String key) {
    return subjects + key;
  }

  /**
   * All values that there are, at most 5,000; none where there is no bucket.
   *
   * @throws ContrailException when it cannot be read
   */
  List<Entry> entries() {
    List<String> found =
        server.subjects(stream, subjects + ">").keySet().stream().sorted().limit(MOST).toList();
    List<Entry> entries = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i += AT_ONCE) {
      List<String> some = found.subList(i, Math.min(found.size(), i + AT_ONCE));
      List<CompletableFuture<Optional<Entry>>> asked = some.stream().map(this::ask).toList();
      asked.forEach(it -> answer(it).ifPresent(entries::add));
    }
    return entries;
  }

  /** One value; empty where there is none. */
  Optional<Entry> entry(String key) {
    return answer(ask(subjects + key));
  }

  private CompletableFuture<Optional<Entry>> ask(String subject) {
    return messages
        .last(stream, subject)
        .thenApply(
            found ->
                found
                    .map(it -> it.message().payload())
                    // A key that was deleted has a message without a payload.
                    .filter(payload -> payload.length > 0)
                    .map(payload -> new Entry(subject.substring(subjects.length()), payload)));
  }

  private static Optional<Entry> answer(CompletableFuture<Optional<Entry>> asked) {
    try {
      return asked.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof ContrailException cause
          ? cause
          : new ContrailException(String.valueOf(e.getCause()), e);
    }
  }
}
