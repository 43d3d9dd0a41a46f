package dev.contrail.jetstream;

import dev.contrail.event.Act;
import dev.contrail.event.UnreadableEventException;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * What was done to workers and tokens, on record in the stream of events. Every method blocks, and
 * may throw a {@link ContrailException} that says what is refused or not answered.
 */
public final class ActStore {
  private static final byte[] NO_BYTES = {};

  private final JetStreamApi api;
  private final Names names;

  public ActStore(Connection connection, JetStreamOptions jetStream, Names names) {
    this.api = new JetStreamApi(connection, jetStream);
    this.names = names;
  }

  /**
   * What could be read.
   *
   * @param acts the newest first
   * @param unreadable a sentence for each that could not
   */
  public record Listing(List<Act> acts, List<String> unreadable) {}

  /** Writes it down. */
  public void create(Act act) {
    awaited(api.create(names.eventStream(), act.subject(names.prefix()), act.encode(), NO_BYTES));
  }

  /** The newest, no more than that. */
  public Listing newest(int most) {
    Set<String> all =
        awaited(
            api.subjects(names.eventStream(), Act.subjects(names.prefix()))
                .exceptionallyCompose(failure -> JetStreamApi.withoutStream(failure, Set.of())));
    // All are asked for before any is awaited.
    Map<String, CompletableFuture<Optional<StoredMessage>>> reads = new LinkedHashMap<>();
    all.stream()
        .sorted(Comparator.reverseOrder())
        .limit(most)
        .forEach(subject -> reads.put(subject, api.last(names.eventStream(), subject)));
    List<Act> acts = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    reads.forEach(
        (subject, read) -> {
          try {
            awaited(read)
                .ifPresent(it -> acts.add(Act.decode(names.prefix(), subject, it.headers())));
          } catch (UnreadableEventException e) {
            unreadable.add(String.valueOf(e.getMessage()));
          }
        });
    return new Listing(acts, unreadable);
  }

  private static <T> T awaited(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof ContrailException cause ? cause : e;
    }
  }
}
