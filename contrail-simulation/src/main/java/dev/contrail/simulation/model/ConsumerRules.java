package dev.contrail.simulation.model;

import dev.contrail.simulation.model.ConsumerSettings.DeliverPolicy;
import dev.contrail.simulation.model.StreamSettings.Retention;
import java.util.List;
import java.util.Optional;

/** Which consumers a stream refuses. */
final class ConsumerRules {
  private ConsumerRules() {}

  static Optional<ApiError> refusal(
      ModelStream stream, ConsumerSettings settings, ModelVersion version) {
    List<String> filters = ModelConsumer.filters(settings, version);
    for (String filter : filters) {
      if (version == ModelVersion.V2_9_10
          && !Subjects.anyOverlap(stream.settings().subjects(), List.of(filter))) {
        return Optional.of(ApiError.CONSUMER_FILTER_NOT_SUBSET);
      }
    }
    Optional<ModelConsumer> existing = stream.consumer(settings.name());
    if (existing.isPresent()) {
      return existing.get().settings().mayBecome(settings)
          ? Optional.empty()
          : Optional.of(ApiError.CONSUMER_CREATE);
    }
    return stream.settings().retention() == Retention.WORKQUEUE
        ? workQueueRefusal(stream, settings, filters, version)
        : Optional.empty();
  }

  private static Optional<ApiError> workQueueRefusal(
      ModelStream stream, ConsumerSettings settings, List<String> filters, ModelVersion version) {
    boolean fromMiddle = settings.deliverPolicy() != DeliverPolicy.ALL;
    if (fromMiddle && version != ModelVersion.V2_9_10) {
      return Optional.of(ApiError.CONSUMER_DELIVER_POLICY);
    }
    if (!stream.consumers().isEmpty()) {
      if (filters.isEmpty()) {
        return Optional.of(ApiError.CONSUMER_NOT_UNIQUE);
      }
      boolean overlap =
          stream.consumers().values().stream()
              .map(ModelConsumer::filters)
              .anyMatch(others -> others.isEmpty() || Subjects.anyOverlap(others, filters));
      if (overlap) {
        return Optional.of(ApiError.CONSUMER_FILTERS_OVERLAP);
      }
    }
    return fromMiddle ? Optional.of(ApiError.CONSUMER_DELIVER_POLICY) : Optional.empty();
  }
}
