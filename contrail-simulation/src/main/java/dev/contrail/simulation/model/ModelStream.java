package dev.contrail.simulation.model;

import dev.contrail.simulation.model.StreamSettings.Discard;
import dev.contrail.simulation.model.StreamSettings.Retention;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A stream with its consumers. */
final class ModelStream {
  private final StreamSettings settings;
  private final ModelVersion version;
  private final long createdNanos;
  private final MessageStore store = new MessageStore();
  private final DuplicateWindow duplicates;
  private final TreeMap<String, ModelConsumer> consumers = new TreeMap<>();

  ModelStream(StreamSettings settings, ModelVersion version, long now) {
    this.settings = settings;
    this.version = version;
    this.createdNanos = now;
    this.duplicates = new DuplicateWindow(settings.duplicateWindow().toNanos());
  }

  StreamSettings settings() {
    return settings;
  }

  MessageStore store() {
    return store;
  }

  NavigableMap<String, ModelConsumer> consumers() {
    return consumers;
  }

  boolean takes(String subject) {
    return Subjects.anyCovers(settings.subjects(), subject);
  }

  Answer<PublishAck> publish(Publication publication, long now) {
    boolean tooLarge =
        settings.maxMessageSize() > 0 && publication.size() > settings.maxMessageSize();
    if (tooLarge && version != ModelVersion.V2_9_10) {
      return Answer.refused(ApiError.MESSAGE_TOO_LARGE);
    }
    Optional<String> id = publication.messageId();
    OptionalLong before = id.isPresent() ? duplicates.find(id.get()) : OptionalLong.empty();
    boolean expected = isExpected(publication);
    if (!expected && version != ModelVersion.V2_9_10) {
      return Answer.refused(ApiError.WRONG_LAST_SEQUENCE);
    }
    if (before.isPresent()) {
      return Answer.ok(new PublishAck(settings.name(), before.getAsLong(), true));
    }
    if (!expected) {
      return Answer.refused(ApiError.WRONG_LAST_SEQUENCE);
    }
    Optional<ApiError> refusal = refusal(publication);
    if (refusal.isPresent()) {
      return Answer.refused(refusal.get());
    }
    boolean wanted = isWanted(publication.subject());
    long sequence = wanted ? append(publication, now) : store.skip();
    long remembered = wanted || version != ModelVersion.V2_9_10 ? sequence : 0;
    id.ifPresent(each -> duplicates.remember(each, remembered, now));
    return Answer.ok(new PublishAck(settings.name(), sequence, false));
  }

  private boolean isExpected(Publication publication) {
    OptionalLong expected = publication.expectedLastSubjectSequence();
    return expected.isEmpty() || expected.getAsLong() == store.lastOn(publication.subject());
  }

  private Optional<ApiError> refusal(Publication publication) {
    String subject = publication.subject();
    if (settings.maxMessageSize() > 0 && publication.size() > settings.maxMessageSize()) {
      return Optional.of(ApiError.MESSAGE_TOO_LARGE);
    }
    if (isWanted(subject) && settings.discard() == Discard.NEW && isFullFor(subject)) {
      return Optional.of(ApiError.STORE_FAILED);
    }
    return Optional.empty();
  }

  private boolean isFullFor(String subject) {
    boolean subjectIsFull =
        settings.maxMessagesPerSubject() > 0
            && store.countOn(subject) >= settings.maxMessagesPerSubject();
    if (subjectIsFull) {
      return settings.discardNewPerSubject();
    }
    return settings.maxMessages() > 0 && store.size() >= settings.maxMessages();
  }

  /** An interest stream stores nothing that no consumer takes. */
  private boolean isWanted(String subject) {
    return settings.retention() != Retention.INTEREST
        || consumers.values().stream().anyMatch(consumer -> consumer.takes(subject));
  }

  private long append(Publication publication, long now) {
    StoredMessage message = store.append(publication, now);
    String subject = message.subject();
    while (settings.maxMessagesPerSubject() > 0
        && store.countOn(subject) > settings.maxMessagesPerSubject()) {
      remove(store.firstOn(subject));
    }
    while (settings.maxMessages() > 0 && store.size() > settings.maxMessages()) {
      remove(store.firstSequence());
    }
    return message.sequence();
  }

  /** Takes a message away and lets the consumers know. */
  boolean remove(long sequence) {
    Optional<StoredMessage> gone = store.remove(sequence);
    if (gone.isEmpty()) {
      return false;
    }
    consumers.values().forEach(consumer -> consumer.removed(sequence));
    return true;
  }

  /** What is said when there is no message to delete, which depends on the store. */
  ApiError refusalToDelete(long sequence) {
    boolean inside =
        store.size() > 0 && sequence >= store.firstSequence() && sequence <= store.lastSequence();
    return settings.storage() == StreamSettings.Storage.MEMORY || inside
        ? ApiError.SEQUENCE_NOT_FOUND
        : ApiError.MESSAGE_DELETE;
  }

  AckAnswer acknowledge(AckSubject reply, Acknowledgement acknowledgement, long now) {
    ModelConsumer consumer = consumers.get(reply.consumer());
    if (consumer == null) {
      return AckAnswer.NO_RESPONDERS;
    }
    if (acknowledgement instanceof Acknowledgement.Nak nak) {
      consumer.nak(reply, nak.delay().toNanos(), now);
    } else if (acknowledgement instanceof Acknowledgement.InProgress) {
      consumer.inProgress(reply.streamSequence(), now);
    } else if (acknowledgement instanceof Acknowledgement.Term term) {
      if (version == ModelVersion.V2_9_10 && !term.reason().isEmpty()) {
        return AckAnswer.CONFIRMED;
      }
      AckAnswer answer = ack(consumer, reply);
      consumer.terminated(
          reply.streamSequence(), reply.consumerSequence(), reply.deliveries(), term.reason());
      return answer;
    } else {
      return ack(consumer, reply);
    }
    return AckAnswer.CONFIRMED;
  }

  private AckAnswer ack(ModelConsumer consumer, AckSubject reply) {
    long sequence = reply.streamSequence();
    if (version != ModelVersion.V2_9_10 && sequence >= consumer.state().nextStreamSequence) {
      return AckAnswer.SILENCE;
    }
    consumer.acked(sequence, reply.consumerSequence());
    if (settings.retention() == Retention.WORKQUEUE) {
      remove(sequence);
    } else if (settings.retention() == Retention.INTEREST) {
      dropUnneeded(sequence, consumer);
    }
    return AckAnswer.CONFIRMED;
  }

  private void dropUnneeded(long sequence, @Nullable ModelConsumer done) {
    Optional<StoredMessage> message = store.get(sequence);
    boolean needed =
        message.isEmpty()
            || consumers.values().stream()
                .anyMatch(consumer -> consumer != done && consumer.needs(message.get()));
    if (!needed) {
      remove(sequence);
    }
  }

  Optional<ModelConsumer> consumer(String name) {
    return Optional.ofNullable(consumers.get(name));
  }

  void add(ModelConsumer consumer) {
    consumers.put(consumer.settings().name(), consumer);
  }

  boolean deleteConsumer(String name) {
    if (consumers.remove(name) == null) {
      return false;
    }
    if (settings.retention() == Retention.INTEREST) {
      store.all(List.of()).forEach(message -> dropUnneeded(message.sequence(), null));
      if (consumers.isEmpty() && version != ModelVersion.V2_9_10) {
        store.compact(store.lastSequence() + 1);
      }
    }
    return true;
  }

  OptionalLong nextDue() {
    long due = duplicates.nextDue().orElse(Long.MAX_VALUE);
    if (!settings.maxAge().isZero() && store.first().isPresent()) {
      due = Math.min(due, store.first().get().nanos() + settings.maxAge().toNanos());
    }
    for (ModelConsumer consumer : consumers.values()) {
      due = Math.min(due, consumer.nextDue().orElse(Long.MAX_VALUE));
    }
    return due == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(due);
  }

  void expire(long now) {
    duplicates.forgetDue(now);
    if (!settings.maxAge().isZero()) {
      long oldest = now - settings.maxAge().toNanos();
      for (StoredMessage message : store.all(List.of())) {
        if (message.nanos() <= oldest) {
          remove(message.sequence());
        }
      }
    }
    consumers.values().forEach(consumer -> consumer.expire(now));
  }

  StreamState state() {
    return new StreamState(
        settings,
        createdNanos,
        store.size(),
        store.firstSequence(),
        store.lastSequence(),
        store.subjectCount(),
        store.deleted(),
        store.first().map(StoredMessage::nanos).orElse(0L),
        store.lastNanos(),
        List.copyOf(consumers.keySet()));
  }
}
