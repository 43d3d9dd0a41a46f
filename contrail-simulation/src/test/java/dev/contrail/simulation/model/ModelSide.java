package dev.contrail.simulation.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A model that scripts run on. */
final class ModelSide {
  final ModelServer server;
  final List<AckSubject> deliveries = new ArrayList<>();
  private long beat;

  /** The highest sequence that stream A was heard to give out. */
  long lastHeard;

  final Certainty certainty;

  ModelSide(ModelVersion version) {
    certainty = new Certainty(version);
    server = new ModelServer(version, 0);
  }

  /** The answers up to where the server itself could go on in either of two ways. */
  static List<String> run(Script script, ModelVersion version) {
    ModelSide side = new ModelSide(version);
    List<String> answers = new ArrayList<>();
    for (Step step : script.steps()) {
      if (side.isOpen(step)) {
        break;
      }
      side.certainty.step(step);
      answers.add(step.onModel(side));
      side.server.advanceTo(side.server.now() + 1000);
    }
    return answers;
  }

  void advance(int beats) {
    certainty.advance();
    beat += beats;
    server.advanceTo(beat * Beat.LENGTH.toNanos());
  }

  Optional<AckSubject> delivery(int back) {
    return deliveries.isEmpty()
        ? Optional.empty()
        : Optional.of(deliveries.get(deliveries.size() - 1 - back % deliveries.size()));
  }

  /**
   * Whether a real server could go on in more than one way. A purge races with what the server
   * makes of messages that are held, what a deleted consumer gave up may stay, and old servers lose
   * their way when something is acked that was not delivered.
   */
  private boolean isOpen(Step step) {
    if (step instanceof StreamSteps.PurgeStream) {
      return consumers().anyMatch(consumer -> !consumer.state().leases.isEmpty())
          || (certainty.takesAnyAck() && streams().anyMatch(ModelSide::hasInterest));
    }
    if (step instanceof ConsumerSteps.AcknowledgeMadeUp madeUp) {
      return certainty.takesAnyAck()
          && madeUp
              .subject(certainty, lastHeard, delivery((int) madeUp.reply().deliveries()))
              .filter(this::isUndelivered)
              .isPresent();
    }
    if (step instanceof ConsumerSteps.Acknowledge ack) {
      return certainty.takesAnyAck()
          && ack.acknowledgement() instanceof Acknowledgement.Nak
          && delivery(ack.back()).filter(this::isLoose).isPresent();
    }
    if (step instanceof ConsumerSteps.DeleteConsumer) {
      return consumers().anyMatch(consumer -> !consumer.state().exhausted.isEmpty());
    }
    return step instanceof Advance
        && (consumers().anyMatch(ModelSide::isOutOfOrder)
            || streams().anyMatch(this::agesWithLease));
  }

  private boolean isLoose(AckSubject reply) {
    return server.stream(reply.stream())
        .flatMap(stream -> stream.consumer(reply.consumer()))
        .map(ModelConsumer::state)
        .filter(
            state ->
                state.leases.isEmpty()
                    && reply.consumerSequence() > state.ackFloorConsumer
                    && reply.consumerSequence() <= state.nextConsumerSequence)
        .isPresent();
  }

  private boolean isUndelivered(AckSubject reply) {
    return server.stream(reply.stream())
        .flatMap(stream -> stream.consumer(reply.consumer()))
        .filter(consumer -> reply.streamSequence() >= consumer.state().nextStreamSequence)
        .isPresent();
  }

  private static boolean hasInterest(ModelStream stream) {
    return stream.settings().retention() == StreamSettings.Retention.INTEREST
        && !stream.consumers().isEmpty();
  }

  private Stream<ModelStream> streams() {
    return server.streamNames().stream().flatMap(name -> server.stream(name).stream());
  }

  private Stream<ModelConsumer> consumers() {
    return streams().flatMap(stream -> stream.consumers().values().stream());
  }

  /**
   * Whether messages that fall due within the same few milliseconds were put off in another order
   * than that of their sequences: a real server looks at them together or one by one, and queues
   * them in the one order or the other.
   */
  private static boolean isOutOfOrder(ModelConsumer consumer) {
    List<DeliveryState.Lease> leases = waiting(consumer).map(Map.Entry::getValue).toList();
    for (int i = 0; i < leases.size(); i++) {
      for (int j = i + 1; j < leases.size(); j++) {
        boolean together =
            Beat.of(consumer.deadline(leases.get(i))) == Beat.of(consumer.deadline(leases.get(j)));
        if (together && leases.get(i).ordinal() > leases.get(j).ordinal()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a message gets too old just when the wait for its ack ends. */
  private boolean agesWithLease(ModelStream stream) {
    long age = stream.settings().maxAge().toNanos();
    return age > 0
        && stream.consumers().values().stream()
            .anyMatch(
                consumer ->
                    waiting(consumer)
                        .anyMatch(
                            entry ->
                                stream
                                    .store()
                                    .get(entry.getKey())
                                    .filter(
                                        message ->
                                            Beat.of(message.nanos() + age)
                                                == Beat.of(consumer.deadline(entry.getValue())))
                                    .isPresent()));
  }

  private static Stream<Map.Entry<Long, DeliveryState.Lease>> waiting(ModelConsumer consumer) {
    DeliveryState state = consumer.state();
    return state.leases.entrySet().stream().filter(entry -> !state.queue.contains(entry.getKey()));
  }
}
