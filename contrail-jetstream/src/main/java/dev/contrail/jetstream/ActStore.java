package dev.contrail.jetstream;

import dev.contrail.event.Act;
import dev.contrail.event.UnreadableEventException;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

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
    awaited(
        () -> {
          api.create(names.eventStream(), act.subject(names.prefix()), act.encode(), NO_BYTES)
              .join();
          return act;
        });
  }

  /** The newest, no more than that. */
  public Listing newest(int most) {
    List<Act> acts = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    List<String> subjects =
        awaited(this::subjects).stream().sorted(Comparator.reverseOrder()).limit(most).toList();
    for (String subject : subjects) {
      Optional<StoredMessage> found = awaited(() -> api.last(names.eventStream(), subject).join());
      try {
        found.ifPresent(it -> acts.add(Act.decode(names.prefix(), subject, it.headers())));
      } catch (UnreadableEventException e) {
        unreadable.add(String.valueOf(e.getMessage()));
      }
    }
    return new Listing(acts, unreadable);
  }

  private Set<String> subjects() {
    return api.subjects(names.eventStream(), Act.subjects(names.prefix()))
        .exceptionallyCompose(
            failure ->
                JetStreamApi.errorCode(failure) == JetStreamApi.STREAM_NOT_FOUND
                    ? CompletableFuture.completedFuture(Set.of())
                    : CompletableFuture.failedFuture(failure))
        .join();
  }

  private static <T> T awaited(Supplier<T> answer) {
    try {
      return answer.get();
    } catch (CompletionException e) {
      throw e.getCause() instanceof ContrailException cause ? cause : e;
    }
  }
}
