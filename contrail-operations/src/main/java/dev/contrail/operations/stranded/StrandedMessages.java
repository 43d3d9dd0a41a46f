package dev.contrail.operations.stranded;

import dev.contrail.jetstream.ContrailException;
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

  /** Why a message stays in its stream, for people to read. */
  public static final String NO_DELETIONS =
      "its stream allows no deletions (deny_delete, or sealed)";

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

  /** Whether messages of a stream can be deleted by their sequence. */
  public static boolean allowsDeletions(StreamConfiguration stream) {
    return !stream.getDenyDelete() && !stream.getSealed();
  }

  /**
   * What is stranded in a stream; nothing in one that keeps messages by limits alone.
   *
   * @param all the streams of the account, some of which may copy from it
   * @throws ContrailException where some of them are missing
   */
  public List<Stranding> in(String stream, JetStreamServer.Streams all)
      throws InterruptedException {
    Optional<Observation> first = look(stream, all);
    if (first.isEmpty()) {
      return List.of();
    }
    pause();
    return confirmed(stream, first.get());
  }

  /**
   * The first look at a stream; empty where a second would confirm nothing.
   *
   * @param all as for {@link #in}
   */
  public Optional<Observation> look(String stream, JetStreamServer.Streams all) {
    Optional<StreamInfo> before = server.stream(stream);
    if (before.isEmpty() || !canStrand(before.get().getConfiguration())) {
      return Optional.empty();
    }
    List<ConsumerView> consumers = consumers(stream);
    if (consumers.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Long> subjects = server.subjects(stream, ">");
    long last = last(server.stream(stream));
    Observation first =
        new Observation(
            last(before), consumers, subjects, last, consumers, readers(stream, all.all()));
    return Strandings.in(first).isEmpty() ? Optional.empty() : Optional.of(first);
  }

  /** As long as the two looks must be apart at least. */
  public void pause() throws InterruptedException {
    Thread.sleep(APART.toMillis());
  }

  /** What is stranded by the first look and one more, now. */
  public List<Stranding> confirmed(String stream, Observation first) {
    return Strandings.in(first.withSecond(consumers(stream)));
  }

  /** The first look with a second one, a while later. */
  public Observation again(String stream, Observation first) throws InterruptedException {
    pause();
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
    return messages.nextOf(stream, stranding.subject(), sequence, stranding.upTo());
  }

  /**
   * The streams that source or mirror that one now.
   *
   * @throws ContrailException while a cluster does not know of all streams
   */
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
