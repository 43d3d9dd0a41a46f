package dev.contrail.operations.stranded;

import dev.contrail.jetstream.StreamMessages;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.SourceBase;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.SubjectTransform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Asks a server what is stranded. Blocks; a {@link dev.contrail.jetstream.ContrailException} says
 * what was refused or not answered. Costs a few requests a stream and what listing its subjects
 * costs, however many messages they have.
 */
public final class StrandedMessages {
  /**
   * Between the two looks at the consumers: enough for a server to count what it stored, and to
   * remove what was acked, before the second.
   */
  private static final Duration APART = Duration.ofMillis(500);

  private final JetStreamServer server;
  private final StreamMessages messages;

  public StrandedMessages(JetStreamServer server, StreamMessages messages) {
    this.server = server;
    this.messages = messages;
  }

  /** Whether a stream keeps messages only until they are acked, so that one can be stranded. */
  public static boolean canStrand(StreamConfiguration stream) {
    return stream.getRetentionPolicy() == RetentionPolicy.WorkQueue
        || stream.getRetentionPolicy() == RetentionPolicy.Interest;
  }

  /**
   * What is stranded in a stream; nothing in one that keeps messages by limits alone.
   *
   * @param all the streams of the account, some of which may copy from it
   */
  public List<Stranding> in(String stream, Collection<StreamInfo> all) throws InterruptedException {
    Optional<StreamInfo> before = server.stream(stream);
    if (before.isEmpty() || !canStrand(before.get().getConfiguration())) {
      return List.of();
    }
    List<ConsumerView> consumers = consumers(stream);
    if (consumers.isEmpty()) {
      return List.of();
    }
    Map<String, Long> subjects = server.subjects(stream, ">");
    long last = last(server.stream(stream));
    Observation first =
        new Observation(last(before), consumers, subjects, last, consumers, readers(stream, all));
    if (Strandings.in(first).isEmpty()) {
      // Nothing that a second look could confirm.
      return List.of();
    }
    return Strandings.in(again(stream, first));
  }

  /** The first look with a second one, a while later. */
  public Observation again(String stream, Observation first) throws InterruptedException {
    Thread.sleep(APART.toMillis());
    return first.withSecond(consumers(stream));
  }

  private static long last(Optional<StreamInfo> info) {
    return info.map(it -> it.getStreamState().getLastSequence()).orElse(0L);
  }

  /** The consumers of a stream as they are now. */
  public List<ConsumerView> consumers(String stream) {
    return server.consumers(stream).stream().map(ConsumerView::of).toList();
  }

  /** The first of the stranded messages from that sequence on that is still there. */
  public CompletableFuture<Optional<Found>> next(
      String stream, Stranding.Certain stranding, long sequence) {
    return messages
        .next(stream, stranding.subject(), sequence)
        .thenApply(it -> it.filter(found -> found.sequence() <= stranding.upTo()));
  }

  /** The streams that source or mirror that one now. */
  public List<Observation.Reader> readers(String stream) {
    return readers(stream, server.streams());
  }

  /** The streams among them that source or mirror that one. */
  public static List<Observation.Reader> readers(String stream, Collection<StreamInfo> all) {
    List<Observation.Reader> readers = new ArrayList<>();
    for (StreamInfo info : all) {
      StreamConfiguration config = info.getConfiguration();
      if (config.getName().equals(stream)) {
        // It may copy from a stream of its own name, in another account or domain.
        continue;
      }
      List<SourceBase> sources = new ArrayList<>();
      if (config.getMirror() != null) {
        sources.add(config.getMirror());
      }
      if (config.getSources() != null) {
        sources.addAll(config.getSources());
      }
      sources.stream()
          .filter(it -> stream.equals(it.getName()))
          .map(it -> new Observation.Reader(config.getName(), filters(it)))
          .forEach(readers::add);
    }
    return readers;
  }

  private static List<String> filters(SourceBase source) {
    if (source.getFilterSubject() != null && !source.getFilterSubject().isEmpty()) {
      return List.of(source.getFilterSubject());
    }
    List<SubjectTransform> transforms = source.getSubjectTransforms();
    return transforms == null
        ? List.of()
        : transforms.stream().map(SubjectTransform::getSource).toList();
  }
}
