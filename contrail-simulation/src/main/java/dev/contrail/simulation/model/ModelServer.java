package dev.contrail.simulation.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One nats-server with JetStream. Not for use by several threads.
 *
 * <p>A pull gives what there is now, as one that waits for nothing would: whoever wants to wait
 * pulls again.
 */
public final class ModelServer {
  private final ModelVersion version;
  private final TreeMap<String, ModelStream> streams = new TreeMap<>();
  private final List<Consumer<Publication>> listeners = new ArrayList<>();
  private long now;
  private long advisories;

  /**
   * A server without streams.
   *
   * @param nanos what its clock says at first
   */
  public ModelServer(ModelVersion version, long nanos) {
    this.version = version;
    this.now = nanos;
  }

  /** What its clock says. */
  public long now() {
    return now;
  }

  /**
   * Moves its clock on, and does what falls due on the way.
   *
   * @throws IllegalArgumentException if that time is over
   */
  public void advanceTo(long nanos) {
    if (nanos < now) {
      throw new IllegalArgumentException("it is " + now + ", later than " + nanos);
    }
    for (OptionalLong due = nextDue();
        due.isPresent() && due.getAsLong() <= nanos;
        due = nextDue()) {
      now = Math.max(now, due.getAsLong());
      new ArrayList<>(streams.values()).forEach(stream -> stream.expire(now));
    }
    now = nanos;
  }

  /** When something happens by itself, if anything will. */
  public OptionalLong nextDue() {
    long due = Long.MAX_VALUE;
    for (ModelStream stream : streams.values()) {
      due = Math.min(due, stream.nextDue().orElse(Long.MAX_VALUE));
    }
    return due == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(due);
  }

  /** Advisories go to the listener too, as to a client that subscribes to them. */
  public void onAdvisory(Consumer<Publication> listener) {
    listeners.add(listener);
  }

  public Answer<StreamState> createStream(StreamSettings settings) {
    ModelStream existing = streams.get(settings.name());
    if (existing != null) {
      return existing.settings().equals(settings)
          ? Answer.ok(existing.state())
          : Answer.refused(ApiError.STREAM_NAME_IN_USE);
    }
    boolean overlaps =
        streams.values().stream()
            .anyMatch(s -> Subjects.anyOverlap(s.settings().subjects(), settings.subjects()));
    if (overlaps) {
      return Answer.refused(ApiError.SUBJECTS_OVERLAP);
    }
    ModelStream stream = new ModelStream(settings, version, now);
    streams.put(settings.name(), stream);
    return Answer.ok(stream.state());
  }

  public Answer<Boolean> deleteStream(String stream) {
    return onStream(stream, found -> Answer.ok(streams.remove(stream) != null));
  }

  public Answer<StreamState> streamInfo(String stream) {
    return onStream(stream, found -> Answer.ok(found.state()));
  }

  /** The subjects that the filter takes and that have messages, and how many. */
  public Answer<SortedMap<String, Long>> subjects(String stream, String filter) {
    return onStream(stream, found -> Answer.ok(found.store().subjects(filter)));
  }

  /** Publishes, with a request for a confirmation by the stream. */
  public Answer<PublishAck> publish(Publication publication) {
    return streams.values().stream()
        .filter(stream -> stream.takes(publication.subject()))
        .findFirst()
        .map(stream -> stream.publish(publication, now))
        .orElse(Answer.noResponders());
  }

  public Answer<StoredMessage> message(String stream, long sequence) {
    return onStream(stream, found -> present(found.store().get(sequence)));
  }

  public Answer<StoredMessage> lastMessage(String stream, String filter) {
    return onStream(stream, found -> present(found.store().last(List.of(filter))));
  }

  /** The first at or after a sequence that the filter takes. */
  public Answer<StoredMessage> nextMessage(String stream, String filter, long sequence) {
    return onStream(stream, found -> present(found.store().next(List.of(filter), sequence)));
  }

  /** How many there are at or after a sequence that the filter takes. */
  public Answer<Long> count(String stream, String filter, long sequence) {
    return onStream(stream, found -> Answer.ok(found.store().count(List.of(filter), sequence)));
  }

  /** The sequences between the first message and the last one that are gone, in order. */
  public Answer<List<Long>> deleted(String stream) {
    return onStream(stream, found -> Answer.ok(found.store().deletedSequences()));
  }

  private static Answer<StoredMessage> present(Optional<StoredMessage> message) {
    return message.map(Answer::ok).orElse(Answer.refused(ApiError.MESSAGE_NOT_FOUND));
  }

  public Answer<Boolean> deleteMessage(String stream, long sequence) {
    return onStream(
        stream,
        found ->
            found.remove(sequence)
                ? Answer.ok(true)
                : Answer.refused(found.refusalToDelete(sequence)));
  }

  /** Answers how many were purged. */
  public Answer<Long> purge(String stream, Purge purge) {
    return onStream(stream, found -> new Purging(found, version).purge(purge));
  }

  /** Makes a consumer, or changes the limits and the wait of one that is there. */
  public Answer<ConsumerState> createConsumer(String stream, ConsumerSettings settings) {
    return onStream(stream, found -> createConsumer(found, settings));
  }

  private Answer<ConsumerState> createConsumer(ModelStream stream, ConsumerSettings settings) {
    Optional<ApiError> refusal = ConsumerRules.refusal(stream, settings, version);
    if (refusal.isPresent()) {
      return Answer.refused(refusal.get());
    }
    Optional<ModelConsumer> existing = stream.consumer(settings.name());
    if (existing.isPresent()) {
      existing.get().update(settings);
      return Answer.ok(existing.get().info());
    }
    ModelConsumer consumer =
        new ModelConsumer(stream.settings(), stream.store(), settings, version, this::advise, now);
    stream.add(consumer);
    return Answer.ok(consumer.info());
  }

  public Answer<Boolean> deleteConsumer(String stream, String consumer) {
    return onStream(
        stream,
        found ->
            found.deleteConsumer(consumer)
                ? Answer.ok(true)
                : Answer.refused(ApiError.CONSUMER_NOT_FOUND));
  }

  public Answer<ConsumerState> consumerInfo(String stream, String consumer) {
    return onStream(
        stream,
        found ->
            found
                .consumer(consumer)
                .map(each -> Answer.ok(each.info()))
                .orElse(Answer.refused(ApiError.CONSUMER_NOT_FOUND)));
  }

  /** Whether a consumer holds a message, or may be given it, as things are. */
  public boolean mayBeGiven(String stream, String consumer, long sequence) {
    return Optional.ofNullable(streams.get(stream))
        .flatMap(found -> found.consumer(consumer))
        .filter(found -> found.mayBeGiven(sequence))
        .isPresent();
  }

  /**
   * What can be delivered now, at most so many. Old servers say nothing when the consumer is not
   * there.
   */
  public Answer<List<ModelDelivery>> pull(String stream, String consumer, int batch) {
    return Optional.ofNullable(streams.get(stream))
        .flatMap(found -> found.consumer(consumer))
        .map(found -> Answer.ok(found.pull(batch, now)))
        .orElse(version == ModelVersion.V2_9_10 ? Answer.silence() : Answer.noResponders());
  }

  /** An acknowledgement to the reply subject of a delivery, which may be made up. */
  public AckAnswer acknowledge(AckSubject reply, Acknowledgement acknowledgement) {
    ModelStream stream = streams.get(reply.stream());
    return stream == null
        ? AckAnswer.NO_RESPONDERS
        : stream.acknowledge(reply, acknowledgement, now);
  }

  /** Makes what the consumers know safe from {@link #crash}. */
  public void flush() {
    streams.values().forEach(stream -> stream.consumers().values().forEach(ModelConsumer::flush));
  }

  /**
   * A crash and a start: messages are all there, and consumers know what they knew at the last
   * {@link #flush()}, or when they were made. So the ack floor falls back, and what was delivered
   * since comes again as if for the first time.
   */
  public void crash() {
    streams.values().forEach(stream -> stream.consumers().values().forEach(ModelConsumer::forget));
  }

  /** In order. */
  public List<String> streamNames() {
    return List.copyOf(streams.keySet());
  }

  Optional<ModelStream> stream(String name) {
    return Optional.ofNullable(streams.get(name));
  }

  private void advise(Advisory advisory) {
    advisories++;
    Publication publication = Publication.of(advisory.subject(), advisory.json(advisories, now));
    listeners.forEach(listener -> listener.accept(publication));
    publish(publication);
  }

  private <T> Answer<T> onStream(String name, Function<ModelStream, Answer<T>> request) {
    ModelStream stream = streams.get(name);
    return stream == null ? Answer.refused(ApiError.STREAM_NOT_FOUND) : request.apply(stream);
  }
}
